"""saero forget: a document leaves everything that saero keeps, at once, and doesn't return."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from pipelines.errors import Refused
from saero.arguments import TEXT
from saero.output import json_option, print_json, printable
from saero.words import either

if TYPE_CHECKING:
    from resources.build import Saero
    from resources.forgetting import Looked
    from resources.ledger.forget import Meant

Place = tuple[str, str]
# Names of a mail's attachments, of copies and of alike documents that are written out.
_NAMED = 10
_PLACES = {
    "inbox": ("검색 기록", "what searches left (inbox)"),
    "outbox": ("보낼 메일 파일", "mails in files (outbox)"),
    "backup": ("원장 백업", "backups of the ledger"),
    "parsed": ("텍스트 변환본", "text versions (parsed)"),
    "bodies": ("읽은 내용", "what parsers read (bodies)"),
    "index": ("검색 색인의 문단", "passages of the index"),
    "status.json": ("검색에서 빠진 파일 목록", "list of unsearched files (status.json)"),
    "dagster": ("Dagster 실행 기록", "Dagster's records of runs"),
    "leftovers": ("쓰다 만 파일", "half-written files"),
    "ledger file": ("원장 파일 새로 쓰기", "the ledger's file, written anew"),
}


@click.command("forget", short_help="Let a document leave all that saero keeps, and not return.")
@click.argument("paths", nargs=-1, required=True, type=TEXT, metavar="SOURCE/PATH...")
@click.option("--copies", is_flag=True, help="Forget the files too that hold the same text or bytes.")
@click.option("--allow", is_flag=True, help="Instead, let what was forgotten be read again by the next refresh.")
@click.option("--yes", is_flag=True, help="Don't ask.")
@json_option
@click.pass_obj
def command(config: str | None, paths: tuple[str, ...], copies: bool, allow: bool, yes: bool, as_json: bool) -> None:
    """Take documents out of index, ledger, text versions, mails and backups at once; their files stay where they lie.

    Only hashes of the name and of the content are kept, so that neither is read again.
    """
    from resources import forgetting
    from resources.build import AT_WORK, WAIT_CLI, build
    from resources.locks import hold
    from saero.commands.show import split

    saero = build(config)
    names = [source.name for source in saero.sources]
    places = list(dict.fromkeys(split(path.rstrip("/"), names) for path in paths))
    if allow and (copies or yes):
        raise click.UsageError("--allow takes a path alone")
    if as_json and not (yes or allow):
        raise click.UsageError("--json can't ask: add --yes")
    if not saero.ledger.exists:
        raise Refused("nothing was read yet, so there is nothing to forget: run `saero refresh` first")
    lock, seconds = saero.state_dir / "refresh.lock", WAIT_CLI.total_seconds()
    if allow:
        with hold(lock, wait_seconds=seconds, what=AT_WORK, stage="forget --allow"):
            for place in places:
                forgetting.allow(saero, *place, datetime.now(UTC))
        _say_allowed(saero, places, as_json=as_json)
        return
    with hold(lock, wait_seconds=seconds, what=AT_WORK, stage="forget"):
        wanted = forgetting.meant(saero, places, copies=copies)
        _refuse_copies(wanted)
    if not yes:
        _ask(saero, wanted)
    with hold(lock, wait_seconds=seconds, what=AT_WORK, stage="forget"):
        found = forgetting.meant(saero, places, copies=copies)
        if found.target.places != wanted.target.places or _places(found.elsewhere) != _places(wanted.elsewhere):
            raise Refused("the documents changed meanwhile: call it again")
        looked = forgetting.forget(saero, found, datetime.now(UTC))
        named = forgetting.named_in_settings(saero, found.target)
    report = _report(saero, found, looked, named)
    if as_json:
        print_json(report)
    else:
        _print(report, saero)


def _refuse_copies(wanted: Meant) -> None:
    """A copy would go on answering with the same text, or be refused at its next change: nobody could tell which."""
    if wanted.copied or not wanted.elsewhere:
        return
    named = _listed(_places(wanted.elsewhere))
    raise Refused(f"the same stands in {named}; --copies forgets that too. Nothing was forgotten")


def _ask(saero: Saero, wanted: Meant) -> None:
    """Say what is going to leave and wait for a yes; anything else ends the command with 1."""
    from resources.forgetting import files_of

    language = saero.settings.language
    for place in sorted({*wanted.asked, *_places(wanted.files)}):
        click.echo(printable("/".join(place)))
    if not wanted.files:
        korean = "이미 잊은 문서입니다. 남은 것이 있는지 다시 살핍니다."
        click.echo("  " + either(language, korean, "forgotten already: looked for again"))
    for said in (
        (wanted.inner, "함께 잊을 첨부", "with what came in them"),
        (wanted.staying, "첨부와 같은 문서(그대로 남음)", "the same as what came in them, and staying"),
        (wanted.elsewhere, "다른 메일의 같은 첨부(내용만 잊음)", "the same in other mails, whose text alone leaves"),
    ):
        rows, korean, english = said
        if rows:
            click.echo(f"  {either(language, korean, english)}: {_listed(_places(rows))}")
    if wanted.alike:
        click.echo(f"  {either(language, '비슷한 문서(그대로 남음)', 'alike, and staying')}: {_listed(wanted.alike)}")
    if any(there for _, _, there in files_of(saero, wanted)):
        korean = "파일은 디스크에 그대로 남습니다. 지우는 일은 파일 담당자의 몫입니다."
        click.echo("  " + either(language, korean, "The files stay on disk; to delete them is their owner's."))
    korean = "검색, 원장, 변환본, 메일, 백업에 남은 것을 모두 지웁니다. 되돌릴 수 없습니다. 계속할까요?"
    english = "It leaves index, ledger, text versions, mails and backups for good. Go on?"
    if not click.confirm(either(language, korean, english), default=False):
        click.echo(either(language, "아무것도 하지 않았습니다.", "Nothing was forgotten."))
        raise click.exceptions.Exit(1)


def _report(saero: Saero, wanted: Meant, looked: Sequence[Looked], named: bool) -> dict[str, Any]:
    from resources.forgetting import files_of

    return {
        "forgotten": [_place(place) for place in sorted(wanted.target.places)],
        "cleared": [_place(place) for place in _places(wanted.elsewhere)],
        "staying": [_place(place) for place in _places(wanted.staying)],
        "looked": [{"where": one.where, "removed": one.removed} for one in looked],
        "files": [{**_place(place), "file": file, "there": there} for place, file, there in files_of(saero, wanted)],
        "alike": [_place(place) for place in wanted.alike],
        "in_settings": named,
    }


def _print(report: dict[str, Any], saero: Saero) -> None:
    language = saero.settings.language
    for one in report["looked"]:
        if one["removed"]:
            click.echo(f"  {_where(one['where'], language)}: {one['removed']}")
    clean = ", ".join(_where(one["where"], language) for one in report["looked"] if not one["removed"])
    click.echo("  " + either(language, f"살폈지만 없던 곳: {clean}", f"looked at, and nothing there: {clean}"))
    named = _listed((one["source"], one["path"]) for one in report["forgotten"])
    click.echo(either(language, f"잊었습니다: {named}", f"forgotten: {named}"))
    if report["cleared"]:
        named = _listed((one["source"], one["path"]) for one in report["cleared"])
        korean = f"다른 메일에 남은 이름(내용은 잊음): {named}"
        click.echo(either(language, korean, f"named in other mails still, without their text: {named}"))
    for one in report["files"]:
        if one["there"]:
            file = printable(one["file"])
            korean = f"파일은 아직 디스크에 있습니다: {file} (지우는 일은 담당자의 몫이고, 다시 읽지 않습니다)"
            english = f"the file is still on disk: {file} (deleting it is its owner's; it isn't read again)"
            click.echo(either(language, korean, english))
    if report["staying"]:
        named = _listed((one["source"], one["path"]) for one in report["staying"])
        korean = f"첨부와 같은 글이 다른 문서로 남아 있습니다(--copies가 함께 잊습니다): {named}"
        click.echo(either(language, korean, f"what came in it stays as a document of its own (--copies): {named}"))
    if report["alike"]:
        named = _listed((one["source"], one["path"]) for one in report["alike"])
        korean = f"비슷한 문서는 그대로 검색됩니다: {named}"
        click.echo(either(language, korean, f"alike documents are searched as before: {named}"))
    if report["in_settings"]:
        korean = f"{saero.settings.file}에 이 문서의 이름이나 글귀가 있습니다. 직접 고쳐 주세요."
        click.echo(either(language, korean, f"{saero.settings.file} names or quotes it: take that out yourself"))


def _where(place: str, language: str) -> str:
    if place in _PLACES:
        return either(language, *_PLACES[place])
    return place.replace("ledger", "원장", 1) if language == "ko" else place


def _say_allowed(saero: Saero, places: Sequence[Place], *, as_json: bool) -> None:
    if as_json:
        print_json({"allowed": [_place(place) for place in places]})
        return
    for source, path in places:
        shown = printable(f"{source}/{path}")
        korean = f"{shown}: 다음 갱신(saero refresh)에서 다시 읽습니다."
        click.echo(either(saero.settings.language, korean, f"{shown}: the next refresh reads it again"))


def _places(rows: Iterable[dict[str, Any]]) -> list[Place]:
    return [(row["source"], row["path"]) for row in rows]


def _place(place: Place) -> dict[str, str]:
    return {"source": place[0], "path": place[1]}


def _listed(places: Iterable[Place]) -> str:
    """Name documents in one line, the first ten of many."""
    names = [printable("/".join(place)) for place in places]
    more = f" (+{len(names) - _NAMED})" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
