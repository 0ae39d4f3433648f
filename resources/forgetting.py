"""Forget documents at once: every place of the state that holds their words or names them, one after another."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.errors import Refused
from pipelines.forgetting import Place, Rules, Target, mail_text
from pipelines.forgotten import Bans, index_row_kept, lines_without, taken_without
from pipelines.inbox import read_lines
from pipelines.scan import shown
from pipelines.tokens import tokens_version
from resources.backup import mend_backups, write_backup
from resources.files import refused, write_whole
from resources.ledger import export, inbox, passages, runs
from resources.ledger import forget as store
from resources.ledger.forget import Meant
from resources.ledger.index_rows import made_rows
from resources.ledger.rewrite import rewrite
from resources.run_records import without_names
from resources.status import read_status, write_status

if TYPE_CHECKING:
    from resources.build import Saero
    from resources.table import Kept

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Looked:
    """A place that was looked at, and how many things (rows, files, passages) left it or were changed there."""

    where: str
    removed: int


def meant(saero: Saero, places: Collection[Place], *, copies: bool) -> Meant:
    """Say what `places` stand for; raises Refused for what isn't known, and for what came in a mail that stays."""
    with saero.ledger.transaction("forget") as con:
        for source, path in places:
            _refuse_unknown(saero, con, source, path, places)
        found = store.meant(con, places, copies=copies)
    disk = {shown(path) for _, path, _ in files_of(saero, found) if path}
    disk |= {str(saero.mirror.path(*place)) for place in found.asked}  # messages about text versions name these
    return replace(found, target=replace(found.target, disk=found.target.disk | disk))


def _refuse_unknown(saero: Saero, con: Any, source: str, path: str, places: Collection[Place]) -> None:
    rows = [row for row in store.rows_at(con, [(source, path)]) if row["path"] == path]
    if not rows and not store.known(con, names_of(saero, source), path):
        raise Refused(f"{source}/{path}: no such document; `saero documents --source {source}` lists them")
    mail = rows[0]["mail"] if rows else None
    if mail is not None and (source, mail) not in places:
        raise Refused(f"{source}/{path}: it came in {source}/{mail}, which would bring it back; forget that one")


def names_of(saero: Saero, source: str) -> list[str]:
    """Return the names that a source has and had."""
    folder = saero.source(source)
    return [source, *(folder.was if folder else ())]


def forget(saero: Saero, wanted: Meant, now: datetime) -> list[Looked]:
    """Take documents out of everything below the state folder; their files are not touched. refresh.lock must be held.

    What asks for their names and words comes first, then one transaction of the ledger, then what follows from it
    (`end`): killed before that transaction nothing is forgotten, killed later any further call ends it.
    """
    target = wanted.target
    looked = [
        Looked("outbox", _outbox(saero.outbox_dir, target)),
        Looked("backup", mend_backups(saero.backup_dir, lambda lines: _lines_kept(lines, target, now))),
        Looked("status.json", _status(saero, target)),
        Looked("dagster", without_names(saero.state_dir / "dagster", {*target.files, *target.disk})),
    ]
    with saero.ledger.transaction("forget") as con:
        # Asked again: places of rows in a table hold for one transaction.
        again = store.meant(con, wanted.asked, copies=wanted.copied)
        rows = store.erase(con, replace(again, target=target), now)
    looked += [Looked(f"ledger {table}", count) for table, count in rows.items()]
    return looked + end(saero, now)


def end(saero: Saero, now: datetime) -> list[Looked]:
    """Do what follows from what the ledger has forgotten, whoever was cut off doing it. refresh.lock must be held.

    Nobody has to say any name again: what no document of the ledger has leaves.
    """
    with saero.ledger.transaction("forget") as con:
        bans = store.bans(con)
        present = store.places(con)
        stored = con.execute("select content_hash, parser_version from contents").fetchall()
    served = [place for place, is_served in present.items() if is_served]
    names = set(map("/".join, present))
    looked = [
        Looked("parsed", saero.mirror.keep_only(served)),
        Looked("bodies", saero.bodies.keep_only(stored)),
        Looked("index", _index(saero, lambda row: index_row_kept(row, bans, names), now)),
        Looked("leftovers", _leftovers(saero.state_dir)),
        # Late: a search that had found them may have been writing its line.
        Looked("inbox", _inbox(saero, bans, now)),
    ]
    rewrite(saero.ledger)
    with saero.ledger.transaction("forget") as con:
        store.finish(con)
        lines = list(export.lines(con))
    # With what keeps them away: a ledger that is made anew takes its decisions from here.
    write_backup(saero.backup_dir, now.astimezone(saero.settings.zone).date(), lines)
    return [*looked, Looked("ledger file", 1)]


def allow(saero: Saero, source: str, path: str, now: datetime) -> None:
    """Let a forgotten place and its content be read again; raises Refused when neither was forgotten."""
    with saero.ledger.transaction("forget") as con:
        lifted = store.allow(con, names_of(saero, source), path, now)
    if not lifted:
        raise Refused(f"{source}/{path}: it wasn't forgotten, so there is nothing to allow")


def named_in_settings(saero: Saero, target: Target) -> bool:
    """Tell whether saero.toml names a document, or expects words of it: that file is its owner's."""
    expected = (canary.expect_text for canary in saero.settings.canaries)
    text = Path(saero.settings.file).read_text(encoding="utf-8", errors="replace")
    return target.named_in(text) or any(target.holds(words) for words in expected if words)


def files_of(saero: Saero, wanted: Meant) -> list[tuple[Place, str, bool]]:
    """Return (place, where its file lies, whether it is there) of what is forgotten."""
    spelled = {(row["source"], row["path"]): row["disk_path"] or "" for row in wanted.files}
    paths = {place: _file(saero, place, spelled.get(place, "")) for place in {*wanted.asked, *spelled}}
    return [(place, path, os.path.lexists(path)) for place, path in sorted(paths.items())]


def _file(saero: Saero, place: Place, spelled: str) -> str:
    """Return where a file lies: as the disk spelled its name, below where its source is now."""
    source, path = place
    folder = saero.source(source)
    if folder is None:
        return spelled
    names = spelled.split("/")[-len(path.split("/")) :] if spelled else path.split("/")
    return str(folder.path.joinpath(*names))


def _inbox(saero: Saero, bans: Bans, now: datetime) -> int:
    """Count what searches left, as the next run would, and take out the lines that tell of a document.

    Counts of other documents are in the ledger by then. A line that comes later is weighed by the next run.
    """
    try:
        for read in (saero.inbox.taken, saero.inbox.set_aside):
            content = read()
            with saero.ledger.transaction("inbox") as con:
                with_text = saero.settings.search_log.text
                taken = read_lines(content, inbox.known(con), saero.settings.zone, with_text=with_text)
                inbox.add(con, taken_without(taken, bans), now)
        lines = saero.inbox.taken().split(b"\n")
    except OSError as error:
        raise refused(error, saero.inbox.path) from error
    kept = lines_without(lines, bans)
    if kept != lines:
        write_whole(saero.inbox.aside, b"\n".join(kept))
    return len(lines) - len(kept)


def _outbox(folder: Path, target: Target) -> int:
    leaving = [path for path in sorted(folder.glob("*.eml")) if target.told_in(mail_text(path.read_bytes()))]
    for path in leaving:
        path.unlink(missing_ok=True)
    return len(leaving)


def _lines_kept(lines: list[str], target: Target, now: datetime) -> list[str]:
    return export.lines_kept(lines, Rules(target, now.isoformat()).kept)


def _index(saero: Saero, kept: Kept, now: datetime) -> int:
    """Publish the index without them; returns how many passages left what is published."""
    if not any(saero.index_dir.glob("*.lance*")):
        return 0
    from resources.published import read_published

    served = read_published(saero.index_dir)
    before = _passages(saero) if served else 0

    def anew(ids: Sequence[str]) -> list[Row]:
        with saero.ledger.transaction("forget") as con:
            encoder_id = served.encoder if served else ""
            return made_rows(con, ids, encoder_id=encoder_id, tokens_version=tokens_version(), now=now)

    with saero.ledger.transaction("forget") as con:
        live, retired = passages.served_bodies(con)
    record = saero.index.forget(live, retired, kept, anew)
    if record is None:
        return 0
    after = _passages(saero)
    publication = {
        "version": record.version,
        "table_name": record.table,
        "run_id": record.run_id,
        "published_at": now,
        "encoder": record.encoder,
        "calibration": record.calibration,
        "chunker": record.chunker,
        "rows": after,
        "reason": "forget",
    }
    with saero.ledger.transaction("forget") as con:
        runs.add_publication(con, publication)
    return before - after


def _passages(saero: Saero) -> int:
    reader = saero.reader()
    return reader.count() + reader.count(part="retired")


def _status(saero: Saero, target: Target) -> int:
    status = read_status(saero.status_path)
    kept = tuple(one for one in status.unsearched if (one["source"], one["path"]) not in target.places)
    if len(kept) < len(status.unsearched):
        write_status(saero.status_path, replace(status, unsearched=kept))
    return len(status.unsearched) - len(kept)


def _leftovers(state: Path) -> int:
    """Take away what killed processes wrote beside files before they could rename it."""
    leaving = list(state.rglob(".*.aside"))
    for path in leaving:
        path.unlink(missing_ok=True)
    return len(leaving)
