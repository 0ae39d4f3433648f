"""Forgetting in the ledger: which documents are meant, who else holds their words, and every row that tells of them."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipelines.forgetting import TABLES, Place, Row, Rules, Target
from pipelines.forgotten import REASON, Bans, bans_of, place_hash
from pipelines.scan import shown
from resources.ledger import decisions, edges
from resources.ledger.documents import opened
from resources.ledger.rows import as_json, fetch, one
from resources.ledger.sweep import sweep_at_once

if TYPE_CHECKING:
    import duckdb

KIND = "forget"
# What is done with every table, and what leaves with what.
TREATED = {
    "documents": "rows of the places leave, others lose the names of what replaced or equalled them",
    **dict.fromkeys(TABLES, "weighed row by row (pipelines.forgetting)"),
    **dict.fromkeys(("contents", "places"), "leave by the hash of the content, and with what no document holds"),
    **dict.fromkeys(("bodies", "sketches", "bands", "edges"), "leave with the last document that holds the body"),
    **dict.fromkeys(("chunks", "texts", "morphemes", "vectors", "chunk_values"), "leave with the body"),
    "names": "leave with the document",
    "likeness": "pairs of the bodies leave",
    "withheld": "passages that are gone leave",
    **dict.fromkeys(("publications", "checks", "taken"), "ids, times and numbers of runs and lines"),
    **dict.fromkeys(("sources", "settled", "idle", "schema_migrations"), "about no single document"),
    "questions": "what persons asked is no text of a document: kept for its 90 days",
    "common_grams": "hashes of 5-grams that one document in twenty has",
    "calibrations": "numbers",
}
# Not about any document: numbers of the ledger itself.
_OWN = frozenset({"idle", "schema_migrations", "settled"})


@dataclass(frozen=True)
class Meant:
    """What a call means.

    asked     the places that were named
    copied    whether other files that hold the same are meant too
    files     rows of the files to be forgotten; `inner` those of what came in mails among them. What was called
              otherwise before a rename is in `target` alone
    elsewhere rows of other documents that hold the same content or the same words; with `copied`, those that came in
              other mails, which lose their text and keep their place
    staying   rows of other documents that hold the same as something that came in a mail: they are documents of their
              own, and their text isn't forgotten
    alike     (source, path) of documents that hold nearly the same, or the most of it; they stay
    """

    target: Target
    asked: frozenset[Place]
    copied: bool
    files: tuple[Row, ...]
    inner: tuple[Row, ...]
    elsewhere: tuple[Row, ...]
    staying: tuple[Row, ...]
    alike: tuple[Place, ...]


def bans(con: duckdb.DuckDBPyConnection) -> Bans:
    """Return what must not be taken up."""
    return bans_of(decisions.standing(con, KIND))


def unfinished(con: duckdb.DuckDBPyConnection) -> list[datetime]:
    """Return when forgettings began that were cut off, oldest first."""
    rows = fetch(con, "select * from decisions where kind = ? and undone_at is null order by decided_at", [KIND])
    return [row["decided_at"] for row in rows if "pending" in row["value"]]


def rows_at(con: duckdb.DuckDBPyConnection, places: Iterable[Place]) -> list[Row]:
    """Return the documents at places and what came in them, gone ones too."""
    found: dict[tuple[Any, ...], Row] = {}
    for source, path in places:
        rows = fetch(
            con,
            "select rowid, * from documents where source = ? and (path = ? or starts_with(path, ?)) order by path",
            [source, path, f"{path}!/"],
        )
        found.update({(row["rowid"],): opened(row) for row in rows})
    return list(found.values())


def meant(con: duckdb.DuckDBPyConnection, places: Collection[Place], *, copies: bool) -> Meant:
    """Find out what `places` stand for; with `copies` the files that hold the same are meant too, and so on."""
    chosen = set(places)
    while True:
        rows = rows_at(con, sorted(chosen))
        files = [row for row in rows if (row["source"], row["path"]) in chosen]
        inner = [row for row in rows if (row["source"], row["path"]) not in chosen]
        same = _elsewhere(con, _keys(con, rows if copies else files), rows)
        more = {(row["source"], row["path"]) for row in same if row["mail"] is None} - chosen
        if not copies or not more:
            break
        chosen |= more
    known = {row["rowid"] for row in same}
    staying = [row for row in _elsewhere(con, _keys(con, inner), rows) if row["rowid"] not in known]
    rows += _former(con, _target(con, chosen, rows, staying))
    target = _target(con, chosen, rows, staying)
    alike = _alike(con, target.bodies)
    return Meant(target, frozenset(places), copies, tuple(files), tuple(inner), tuple(same), tuple(staying), alike)


def _keys(con: duckdb.DuckDBPyConnection, rows: Iterable[Row]) -> tuple[set[str], set[str]]:
    """Return the contents and the bodies of documents, as whichever parser read them.

    What is empty is the same everywhere and tells nothing.
    """
    listed = list(rows)
    contents = set().union(*map(_contents, listed))
    judged = fetch(con, "select body_hash from contents where content_hash in (select unnest(?))", [sorted(contents)])
    cut = fetch(con, "select body_hash from bodies where content_hash in (select unnest(?))", [sorted(contents)])
    return contents, {row["body_hash"] for row in (*listed, *judged, *cut)} - {None}


def _contents(row: Row) -> set[str]:
    return {row["served_hash"], None if row["category"] == "empty" else row["content_hash"]} - {None}


def _target(
    con: duckdb.DuckDBPyConnection, places: set[Place], rows: Collection[Row], staying: Collection[Row]
) -> Target:
    (contents, bodies), (kept_contents, kept_bodies) = _keys(con, rows), _keys(con, staying)
    bodies -= kept_bodies
    chunks = fetch(
        con,
        """
        with own as (select * from chunks where body_hash in (select unnest(?))),
        shared as (select chunk_hash from chunks where body_hash not in (select unnest(?)))
        select chunk_id, chunk_hash, text, chunk_hash in (from shared) as shared
        from own left join texts using (chunk_hash)
        """,
        [sorted(bodies), sorted(bodies)],
    )
    inside = {(row["source"], row["path"]) for row in rows}
    return Target(
        places=frozenset(places | inside),
        disk=frozenset(shown(row["disk_path"]) for row in rows if row["disk_path"]),
        bodies=frozenset(bodies),
        contents=frozenset(contents - kept_contents),
        chunks=frozenset(row["chunk_hash"] for row in chunks if not row["shared"]),
        chunk_ids=frozenset(row["chunk_id"] for row in chunks),
        texts=tuple(row["text"] for row in chunks if row["text"]),
    )


def _elsewhere(con: duckdb.DuckDBPyConnection, keys: tuple[set[str], set[str]], rows: list[Row]) -> list[Row]:
    """Return other present documents with the same words; of what has no words, those with the same bytes."""
    contents, bodies = map(sorted, keys)
    found = fetch(
        con,
        """
        select d.rowid, d.* from documents d where d.state <> 'gone' and d.rowid not in (select unnest(?)) and (
            d.content_hash in (select unnest(?)) or d.served_hash in (select unnest(?))
            or (d.served_hash is not null and d.body_hash in (select unnest(?))))
        order by d.source, d.path
        """,
        [[row["rowid"] for row in rows], contents, contents, bodies],
    )
    return [opened(row) for row in found]


def _former(con: duckdb.DuckDBPyConnection, target: Target) -> list[Row]:
    """Return what is gone and held the same where no document is now: what a file was called before it was renamed."""
    found = fetch(
        con,
        """
        select g.rowid, g.* from documents g where g.state = 'gone' and (
            g.content_hash in (select unnest(?)) or g.served_hash in (select unnest(?))
            or g.body_hash in (select unnest(?)))
        and not exists (
            select 1 from documents d where d.state <> 'gone' and d.source = g.source and d.path = g.path)
        """,
        [sorted(target.contents), sorted(target.contents), sorted(target.bodies)],
    )
    known = target.places
    return [opened(row) for row in found if (row["source"], row["path"]) not in known]


def _alike(con: duckdb.DuckDBPyConnection, bodies: Collection[str]) -> tuple[Place, ...]:
    near = edges.fellows(con, bodies)
    sql = "select source, path from documents where state <> 'gone' and body_hash in (select unnest(?)) order by all"
    return tuple((row["source"], row["path"]) for row in fetch(con, sql, [near]))


def erase(con: duckdb.DuckDBPyConnection, meant: Meant, now: datetime) -> dict[str, int]:
    """Write down that the files must not return, and take every row that tells of them; one transaction does it all.

    Earlier texts of a file aren't known by its name, so whatever no present document holds leaves with it. Returns
    table -> rows that left or were changed.
    """
    places = sorted(meant.target.places)
    keys = [[source for source, _ in places], [path for _, path in places]]
    for row in meant.files:
        _ban(con, row, meant, now)
    before = _counts(con)
    changed = _apply_rules(con, Rules(meant.target, now))
    con.execute("delete from documents where (source, path) in (select unnest(?), unnest(?))", keys)
    changed["documents"] = _clear(con, meant)
    for end in ("a", "b"):
        con.execute(f"delete from likeness where {end} in (select unnest(?))", [sorted(meant.target.bodies)])
    sweep_at_once(con)
    for table in ("contents", "places"):  # of a copy that keeps its row too
        con.execute(f"delete from {table} where content_hash in (select unnest(?))", [sorted(meant.target.contents)])
    con.execute("delete from withheld where chunk_id not in (select chunk_id from chunks)")
    after = _counts(con)
    left = {table: before[table] - after[table] + changed.get(table, 0) for table in before}
    return {table: count for table, count in left.items() if table not in _OWN}


def _ban(con: duckdb.DuckDBPyConnection, file: Row, meant: Meant, now: datetime) -> None:
    """Keep hashes of the place and of the contents; "pending" until everything beside the ledger has been looked at."""
    subject = place_hash(file["source"], file["path"])
    within = [
        row for row in meant.inner if row["source"] == file["source"] and row["path"].startswith(f"{file['path']}!/")
    ]
    contents = set().union(*map(_contents, (file, *within))) & meant.target.contents
    before = decisions.standing(con, KIND).get(subject, {"contents": []})
    value = {"contents": sorted({*before["contents"], *contents}), "pending": True}
    con.execute("delete from decisions where kind = ? and subject = ?", [KIND, subject])
    decisions.add(con, decision_id=uuid.uuid4().hex[:12], kind=KIND, subject=subject, value=value, now=now)


def _apply_rules(con: duckdb.DuckDBPyConnection, rules: Rules) -> dict[str, int]:
    changed: dict[str, int] = {}
    for table in TABLES:
        leaving, other = [], []
        for row in fetch(con, f"select rowid, * from {table}"):
            after = rules.kept(table, row)
            if after is None:
                leaving.append(row["rowid"])
            elif after is not row:
                other.append(
                    {name: value for name, value in after.items() if value != row[name]} | {"rowid": row["rowid"]}
                )
        for row in other:
            names = [name for name in row if name != "rowid"]
            values = [as_json(row[name]) if isinstance(row[name], dict) else row[name] for name in names]
            sets = ", ".join(f"{name} = ?" for name in names)
            con.execute(f"update {table} set {sets} where rowid = ?", [*values, row["rowid"]])
        con.execute(f"delete from {table} where rowid in (select unnest(?))", [leaving])
        changed[table] = len(other)
    return changed


def _clear(con: duckdb.DuckDBPyConnection, meant: Meant) -> int:
    """Empty the rows that stay: copies in other mails lose their text, other documents the name of what leaves."""
    names = ["/".join(place) for place in meant.target.places]
    changed = len(
        fetch(
            con,
            "select 1 from documents where superseded_by in (select unnest(?)) or duplicate_of in (select unnest(?))",
            [names, names],
        )
    )
    con.execute("update documents set superseded_by = null where superseded_by in (select unnest(?))", [names])
    # Until the next run chooses who serves a body that stays, the one that was seen first does.
    con.execute(
        """
        create or replace temp table heirs as select rowid as row, first_value(source || '/' || path) over first as heir
        from documents where duplicate_of in (select unnest(?)) and rowid not in (select unnest(?))
        window first as (partition by body_hash order by first_seen, source, path)
        """,
        [names, [row["rowid"] for row in meant.elsewhere]],
    )
    con.execute(
        """
        update documents set duplicate_of = nullif(heir, source || '/' || path),
            state = case when heir = source || '/' || path and state = 'duplicate' then 'live' else state end
        from heirs where heirs.row = documents.rowid
        """
    )
    con.execute("drop table heirs")
    ids = [row["rowid"] for row in meant.elsewhere]
    con.execute(
        """
        update documents set state = 'rejected', reason = ?, served_hash = null, served_parser = null,
            body_hash = null, flags = '[]', category = null, failing_since = null, failed_runs = 0,
            duplicate_of = null, superseded_by = null, retired = false, expires_at = null, expiry_evidence = null,
            body_expires_at = null
        where rowid in (select unnest(?))
        """,
        [REASON, ids],
    )
    return changed + len(ids)


def finish(con: duckdb.DuckDBPyConnection) -> None:
    """Say that nothing is left to be done."""
    standing = decisions.standing(con, KIND)
    pending = {key: {"contents": value["contents"]} for key, value in standing.items() if "pending" in value}
    decisions.amend(con, KIND, pending)


def places(con: duckdb.DuckDBPyConnection) -> dict[Place, bool]:
    """Return (source, path) of every present document -> whether its text is served."""
    rows = con.execute("select source, path, served_hash is not null from documents where state <> 'gone'").fetchall()
    return {(source, path): served for source, path, served in rows}


def known(con: duckdb.DuckDBPyConnection, names: Iterable[str], path: str) -> bool:
    """Tell whether a place was forgotten; `names` are those that its source has or had."""
    standing = decisions.standing(con, KIND)
    return any(place_hash(name, path) in standing for name in names)


def allow(con: duckdb.DuckDBPyConnection, names: Collection[str], path: str, now: datetime) -> bool:
    """Lift what keeps a place away: its own hash, and the contents that it was forgotten with or has now.

    Other places that were forgotten with the same content stay so by their names. Tells whether there was anything.
    """
    standing = decisions.standing(con, KIND)
    subjects = [key for key in (place_hash(name, path) for name in names) if key in standing]
    contents = {content for key in subjects for content in standing[key]["contents"]}
    for name in names:
        contents |= {row["content_hash"] for row in rows_at(con, [(name, path)]) if row["state"] == "rejected"}
    for key, value in standing.items():
        if key in subjects:
            sql = "update decisions set undone_at = ? where kind = ? and subject = ? and undone_at is null"
            con.execute(sql, [now, KIND, key])
        elif contents & set(value["contents"]):
            subjects.append(key)
            decisions.amend(con, KIND, {key: {**value, "contents": sorted(set(value["contents"]) - contents)}})
    return bool(subjects)


def _counts(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    names = [row["table_name"] for row in fetch(con, "select table_name from duckdb_tables() where not temporary")]
    return {name: int(one(con, f"select count(*) from {name}") or 0) for name in sorted(names)}
