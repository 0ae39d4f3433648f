"""saero init: a commented saero.toml."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import click

from pipelines.errors import SettingsError
from saero.arguments import TEXT


@click.command("init", short_help="Write a commented saero.toml for your folders.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--owner", type=TEXT, default="", help="E-mail of the person who answers for these folders.")
@click.option("--language", type=click.Choice(["ko", "en"]), default="ko", show_default=True)
@click.pass_obj
def command(config: str | None, paths: tuple[Path, ...], owner: str, language: str) -> None:
    """Write saero.toml (or the --config file) with one source a folder PATH. Nothing is overwritten."""
    from resources.build import NETWORK_FILE_SYSTEMS, file_system
    from resources.settings import load_settings, settings_path
    from resources.sources import list_sources

    target = settings_path(config)
    if target.exists():
        raise SettingsError(f"{target}: stands already; edit it, or name another file with --config")
    kind = file_system(target.parent)
    if kind in NETWORK_FILE_SYSTEMS:
        raise SettingsError(
            f"{target.parent} is on a network disk ({kind}), where locks don't hold; start on a local one"
        )
    folders = [_folder(path) for path in paths]
    text = render(_named(folders), target.parent, owner, language)
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise SettingsError(f"{target}: can't be written: {error.strerror}") from error
    try:
        list_sources(load_settings(str(target)))
    except SettingsError:
        target.unlink()
        raise
    click.echo(f"{target}: {len(folders)} source(s). Next: saero refresh")


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise SettingsError(f"{path}: no such folder")
    folder = Path(os.path.normpath(path.absolute()))
    try:
        str(folder).encode("utf-8")
    except UnicodeEncodeError as error:
        raise SettingsError(f"{str(folder)!a}: this name isn't UTF-8; rename the folder first") from error
    return folder


def _named(folders: list[Path]) -> dict[str, Path]:
    """Name sources by their folders, with the parent's name in front where two are called the same."""
    named: dict[str, Path] = {}
    for folder in folders:
        plain = unicodedata.normalize("NFC", folder.name) or "source"
        name = plain
        if name in named:
            name = f"{unicodedata.normalize('NFC', folder.parent.name)} {plain}"
        number = 2
        while name in named:
            name, number = f"{plain} {number}", number + 1
        named[name] = folder
    return named


def render(sources: dict[str, Path], base: Path, owner: str, language: str) -> str:
    """Return the text of a settings file; folders below `base` are written relative to it."""
    blocks = []
    for name, folder in sources.items():
        shown = os.path.relpath(folder, base) if folder.is_relative_to(base) else str(folder)
        blocks.append(SOURCE.format(name=_quoted(name), path=_quoted(shown), owner=_quoted(owner)))
    return HEAD.format(language=language) + "\n".join(blocks) + TAIL


def _quoted(text: str) -> str:
    """Return a TOML basic string."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


HEAD = """\
# saero settings. Relative paths start from this file's folder. Unknown keys are errors.
# Secrets are never written here: the mail password is the environment variable SAERO_MAIL__PASSWORD.

state = ".saero"          # ledger, index, text versions, models, outbox; on a local disk
language = "{language}"           # ko | en: what is printed and mailed

"""
SOURCE = """\
[sources.{name}]
path = {path}
owner = {owner}                # who gets this folder's alerts
# review_after = "P180D"  # say when a document wasn't changed for so long (ISO 8601 duration)
# exclude = ["임시/**", "*.bak"]
# ttl = [{{match = "주간/**", after = "P14D"}}, {{match = "*계획*", until = "period_end"}}]
# versions = "replace"    # replace: v2 takes v1 out of the index | demote: v1 ranks after v2 | list: both stay
#                         # decided by the source that holds both, for their copies in other sources too
"""
TAIL = """
# Canaries: questions that this corpus must always be able to answer. saero asks them every night and mails when
# the answer is lost, changed or pushed down.
# [[canaries]]
# query = "결제 API 타임아웃 설정값"
# expect_text = "30초"     # or expect_path = "source/path"

# [encoder]
# model = "bundled"       # or a sentence-transformers name or folder

# [schedule]
# cron = "0 2 * * *"      # used by the Dagster daemon (saero ui)
# timezone = "Asia/Seoul" # days and periods end there

# [mail]                  # without a host, mails are written to .saero/outbox as .eml files
# host = "smtp.example.com"
# port = 587
# security = "starttls"   # none | starttls | tls
# username = "saero"
# sender = "saero@example.com"
# recipients = ["team@example.com"]   # get everything; owners get their own sources
# evidence = "names"      # names | text | counts: how much of a document a mail may show
# digest = "weekly"       # weekly | nightly

# [limits]
# parse_seconds = 120
# parse_memory_mb = 2048
# stream_mb = 64          # one part of an office file, unpacked
# file_mb = 1024
# workers = 0             # 0 = cores

# [ocr]                   # scanned pages, read by the program tesseract
# enabled = true
# languages = "kor+eng"
# pages = 100             # of one document
# page_seconds = 60

# [search]
# words = ["새벽페이"]     # names that the morphological analyser doesn't know, kept whole

# [search_log]            # what searches leave: counts by document and day
# text = false            # true: questions too, for 90 days

# [contradictions]        # values that documents state differently; on call by `saero contradictions`
# nightly = false         # true: each night compares what the passages of canaries state
"""
