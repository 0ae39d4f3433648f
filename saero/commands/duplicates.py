"""saero duplicates: documents that are the same, nearly the same, or contained in one another."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from resources.progress import Step
from saero.bar import Bar
from saero.output import csv_option, json_option, print_csv, printable
from saero.spoken import spoken
from saero.words import either

if TYPE_CHECKING:
    from resources.build import Saero
    from saero.families import Shown

Row = dict[str, Any]

# What is said of documents that hold no word.
_WORDLESS = ("needs_ocr", "empty")

# Below this the candidates of a sketch are no longer all that there are (pipelines/sketch.py).
_LEAST = 0.4


class _Folder(click.Path):
    """A folder that a person names; a file is compared by other commands, and no name is no folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("a folder is needed; . is this one", param, ctx)
        if Path(value).is_file():
            how = "`saero fingerprint FILE` shows it, `saero compare A B` compares two"
            self.fail(f"{printable(str(value))} is a file: {how}", param, ctx)
        return super().convert(value, param, ctx)


def _judged(ctx: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """Refuse what is no similarity; click's own range lets NaN through."""
    if value is not None and not _LEAST <= value <= 1:
        raise click.BadParameter(f"{value:g} is not between {_LEAST} and 1", ctx, option)
    return value


@click.command("duplicates", short_help="Show documents that are the same, nearly the same or contained in others.")
@click.argument("folder", metavar="[DIR]", required=False, type=_Folder(path_type=Path))
@click.option("--exclude-dir", "exclude", multiple=True, metavar="D", help="Leave out folders of this name or path.")
@click.option("--threshold", type=float, callback=_judged, metavar="J", help="Least similarity of a near pair (0.9).")
@json_option
@csv_option
@click.pass_obj
def command(
    config: str | None,
    folder: Path | None,
    exclude: tuple[str, ...],
    threshold: float | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show families of documents whose text is the same, near or contained: those of the last refresh, or of any
    folder DIR, which needs no settings and in which nothing is written.
    """
    from pipelines.near import NEAR
    from saero import families

    if folder is None and (exclude or threshold is not None):
        raise click.UsageError("--exclude-dir and --threshold go with DIR")
    language, zone = spoken(config)
    if folder is None:
        saero = _built(config)
        if not saero.ledger.exists and not as_json and not as_csv:
            click.echo(either(language, "아직 갱신한 적이 없습니다: saero refresh", "Not refreshed yet: saero refresh"))
            return
        found, errors = _of_ledger(saero)
    else:
        bar = Bar(language, quiet=as_json or as_csv)
        found, errors = _of_folder(folder, exclude, threshold, bar)
    if as_json:
        families.print_all(found, errors)
    elif as_csv:
        print_csv(families.rows(found), families.COLUMNS)
    else:
        families.print_families(found, NEAR if threshold is None else threshold, language, zone)
        families.print_errors(errors, language)


def _of_folder(
    folder: Path, exclude: tuple[str, ...], threshold: float | None, bar: Bar
) -> tuple[list[Shown], list[Row]]:
    """Read a folder and compare what is in it."""
    from pipelines.compared import chosen
    from pipelines.family import Member, families
    from pipelines.near import NEAR
    from pipelines.records import Limits
    from pipelines.verify import edges_among
    from resources.folder import read_folder
    from saero.families import shown

    def on_read(done: int, total: int) -> None:
        bar(Step("", os.getpid(), "parse", done, total, "", ""))

    readings, unread = read_folder(
        folder, exclude=exclude, workers=os.cpu_count() or 1, limits=Limits(), on_read=on_read
    )
    bar.close()
    contents = chosen((one.body_hash, one.content) for one in readings)
    texts = {one.body_hash: one.text for one in readings if one.text and contents[one.body_hash] == one.content}
    edges = edges_among(texts, NEAR if threshold is None else threshold)
    members = [Member("", one.path, one.body_hash, one.modified_at, one.clock, one.extras) for one in readings]
    errors = [{"source": "", "path": one.path, "category": one.category, "reason": one.reason} for one in unread]
    return shown(families(members, edges, datetime.now(UTC))), errors


def _built(config: str | None) -> Saero:
    """Build from the settings; without any it says that a folder needs none."""
    from pipelines.errors import SettingsError
    from resources.build import build
    from resources.settings import settings_path

    try:
        return build(config)
    except SettingsError as error:
        if settings_path(config).exists():
            raise
        raise SettingsError(f"{error}; `saero duplicates DIR` compares a folder without settings") from error


def _of_ledger(saero: Saero) -> tuple[list[Shown], list[Row]]:
    """Take what the last refresh found; what it could not read is listed with it."""
    from assets.stages.near import member_of
    from pipelines.family import families
    from resources.ledger import documents
    from resources.ledger import edges as edge_store
    from saero.families import shown

    if not saero.ledger.exists:
        return [], []
    with saero.ledger.transaction("duplicates") as con:
        rows = documents.present(con)
        edges = edge_store.among(con, {row["body_hash"] for row in rows if row["body_hash"]})
    order = {source.name: source.position for source in saero.sources}
    members = [member_of(row, order.get(row["source"], len(order))) for row in rows if _compared(row)]
    errors = [{name: row[name] for name in ("source", "path", "category", "reason")} for row in rows if row["category"]]
    duplicates = [(row["source"], row["path"]) for row in rows if row["duplicate_of"]]
    return shown(families(members, edges, datetime.now(UTC)), duplicates), errors


def _compared(row: Row) -> bool:
    """Tell whether a document serves words, or was read and holds none: then only equal bytes make it one."""
    if row["served_hash"]:
        return bool(row["has_text"])
    return row["category"] in _WORDLESS and bool(row["content_hash"])
