"""One night of every stage in this process, on a day of the story, and what it left."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from fakes import FakeEncoder, InlinePool, ledger_left_open
from oracle import ZONE
from world import FIRST_DAY, PINNED, SOURCES

import resources.build
from assets.stages import chunk, embed, index, meanwhile, rows
from assets.stages.chunk import cut_bodies
from assets.stages.dedup import settle
from assets.stages.embed import embed_missing
from assets.stages.gap import analyse
from assets.stages.index import publish
from assets.stages.parse import parse_sources
from assets.stages.quality import differences, judge
from resources.backup import newest_backup
from resources.build import Run, Saero, build, open_run
from resources.ledger import decisions
from resources.ledger.rows import fetch, one
from resources.published import read_published
from resources.status import read_status

Seen = dict[str, Any]
# Small, so that a night of thirty documents has many commits.
_BATCHES = ((chunk, "BATCH", 6), (embed, "BATCH", 12), (rows, "BATCH", 16), (index, "BATCH", 12))
# What no key of the database keeps unique: table -> columns.
_UNIQUE = {
    "documents": "source, path", "contents": "content_hash, parser_version", "bodies": "body_hash",
    "chunks": "chunk_id", "texts": "chunk_hash", "morphemes": "chunk_hash, tokens_version",
    "vectors": "chunk_hash, encoder_id", "places": "content_hash, parser_version, chunk_id",
    "names": "name, tokens_version", "mails": "message_id", "alerts": "alert_id", "canaries": "canary_id",
    "canary_history": "canary_id, run_id", "decisions": "decision_id", "sketches": "sketch_id", "sources": "name",
}  # fmt: skip


def settings() -> str:
    """Return saero.toml of the team: one address for all mails, a digest every night, four questions."""
    sources = "".join(f'[sources."{name}"]\npath = "docs/{name}"\n' for name in SOURCES)
    asked = "".join(f'[[canaries]]\nquery = "{question}"\n' for question, _ in PINNED.values())
    return f'state = "state"\n{sources}[mail]\nrecipients = ["ops@example.com"]\ndigest = "nightly"\n{asked}'


def moment(day: int, hour: int) -> datetime:
    """Return an hour of a night of the story."""
    return datetime.combine(FIRST_DAY, datetime.min.time(), ZONE) + timedelta(days=day, hours=hour)


def night(home: Path, run_id: str, now: datetime, encoder: str, *, open_ledger: bool) -> tuple[Saero, Run]:
    """Play every stage of one run; `open_ledger` opens the database once, else for each transaction as always."""
    saero = build(str(home / "saero.toml"))
    saero.encoder = saero.query_encoder = FakeEncoder(encoder)  # type: ignore[assignment]
    saero.pool = lambda: InlinePool(saero.limits)  # type: ignore[method-assign,assignment,return-value]
    with (
        _small_batches(),
        _clock(now),
        ledger_left_open() if open_ledger else nullcontext(),
        open_run(saero, run_id, trigger="crash", wait=timedelta(0)) as run,
    ):
        parse_sources(run, list(SOURCES))
        settle(run)
        cut_bodies(run)
        embed_missing(run)
        judge(run)
        publish(run)
        analyse(run)
    return saero, run


@contextmanager
def _small_batches() -> Iterator[None]:
    """Commit often, publish words before vectors, and keep no old version of a table."""
    changed = [*_BATCHES, (meanwhile, "WORDS_FIRST", 300), (index, "KEEP_VERSIONS", timedelta(0))]
    before = [(module, name, getattr(module, name)) for module, name, _ in changed]
    for module, name, value in changed:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


@contextmanager
def _clock(now: datetime) -> Iterator[None]:
    """Let a run begin, publish and end at `now`."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return now.astimezone(tz or UTC)

    with patch.object(resources.build, "datetime", Clock), patch.object(index, "datetime", Clock):
        yield


def decide(saero: Saero, number: int, now: datetime) -> str:
    """Write a decision of a person between two nights; returns its id."""
    key = f"decision-{number}"
    with saero.ledger.transaction("decision") as con:
        value = {"until": (now + timedelta(days=1)).isoformat()}
        decisions.add(con, decision_id=key, kind="mute", subject=f"{number}", value=value, now=now)
    return key


def seen(saero: Saero, run: Run, kept: Collection[str]) -> Seen:
    """Return what a night left, in the words of oracle.Expected, and `faults`: what must never be.

    kept  the mails, decisions and answers of canaries that stood before the night; what stands after it comes back
    """
    reader = saero.reader()
    live, retired = reader.get(), reader.get(part="retired")
    with saero.ledger.transaction("crash") as con:
        states = fetch(con, "select source, path, state from documents where state <> 'gone'")
        findings = fetch(con, "select kind, source, path from findings where resolved_at is null")
        asked = fetch(con, "select query, state from canaries where removed_at is null")
        sent = fetch(con, "select mail_id as key, kind from mails")
        mails = {row["key"]: row["kind"] for row in sent if row["key"] not in kept}
        sql = "select kind, source, path, told->>'state' as state from alerts where list_contains(?, mail_id)"
        told = fetch(con, sql, [list(mails)])
        history = fetch(con, "select canary_id || run_id as key from canary_history")
        decided = fetch(con, "select decision_id as key from decisions")
        faults = [
            f"{table}: {twice} keys stand twice"
            for table, key in _UNIQUE.items()
            if (twice := one(con, f"select count(*) from (select 1 from {table} group by {key} having count(*) > 1)"))
        ]
        unsent = one(con, "select count(*) from mails where state <> 'file'")
        untold = one(con, "select count(*) from alerts where news is not null")
        running = one(con, "select count(*) from runs where outcome is null")
    faults += _faults(saero, run, live, retired)
    faults += [
        f"{what}: {count}"
        for what, count in (("mails unsent", unsent), ("alerts untold", untold), ("runs without an end", running))
        if count
    ]
    once = ("version_returned",)
    status = read_status(saero.status_path)
    return {
        "served": _texts(live),
        "retired": _texts(retired),
        "also": {place: also for rows in (live, retired) for place, also in _also(rows).items()},
        "states": {f"{row['source']}/{row['path']}": row["state"] for row in states},
        "mirrored": _mirrored(saero),
        "findings": sorted([r["kind"], r["source"], r["path"]] for r in findings if r["kind"] not in once),
        "canaries": {row["query"]: row["state"] for row in asked},
        "told": sorted([r["kind"], r["source"], r["path"], _told(r["state"])] for r in told),
        "mails": dict(Counter(mails.values())),
        "unreachable": sorted(status.unreachable),
        "unsearched": sorted(f"{one['source']}/{one['path']}" for one in status.unsearched),
        "encoder": reader.record.encoder,
        "faults": faults,
        "kept": sorted(row["key"] for row in (*history, *decided, *sent)),
    }


def _told(state: str) -> str:
    return "resolved" if state == "resolved" else "open"


def _texts(rows: list[dict[str, Any]]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for row in sorted(rows, key=lambda row: (row["source"], row["path"], row["ordinal"])):
        found.setdefault(f"{row['source']}/{row['path']}", []).append(" ".join(row["text"].split()))
    return {place: " ".join(texts) for place, texts in found.items()}


def _also(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    return {
        f"{row['source']}/{row['path']}": sorted(f"{o['source']}/{o['path']}" for o in json.loads(row["also_in"]))
        for row in rows
    }


def _mirrored(saero: Saero) -> dict[str, str]:
    folder = saero.state_dir / "parsed"
    return {
        path.relative_to(folder).as_posix().removesuffix(".md"): _plain(path.read_text(encoding="utf-8"))
        for path in folder.rglob("*")
        if path.is_file()
    }


def _plain(text: str) -> str:
    return " ".join(text.split())


def _faults(saero: Saero, run: Run, live: list[dict[str, Any]], retired: list[dict[str, Any]]) -> list[str]:
    """Return what is wrong whatever happened: rows, vectors, remains on disk, marks of an unfinished run."""
    faults = [f"held: {run.held}"] if run.held else []
    faults += [f"blocked: {run.memory['blocked']}"] if run.memory.get("blocked") else []
    if (apart := differences(run)) != (0, 0):
        faults.append(f"published rows lack {apart[0]} and have {apart[1]} too many")
    for part, rows_of_part in (("live", live), ("retired", retired)):
        ids = [row["chunk_id"] for row in rows_of_part]
        faults += [f"{part}: {len(ids) - len(set(ids))} chunk ids stand twice"] if len(ids) != len(set(ids)) else []
        faults += _vector_faults(saero.encoder, rows_of_part, part)
    if (saero.index.live.version, saero.index.retired.version) != _published(saero):
        faults.append("the published version isn't the head")
    status = read_status(saero.status_path)
    if status.last_failed or status.unfinished or status.held:
        faults.append("status.json says failed, unfinished or held")
    remains = [path for path in saero.state_dir.rglob("*") if path.name.endswith((".aside", ".gone"))]
    remains += [saero.run_path] if saero.run_path.exists() else []
    faults += [f"left behind: {path.relative_to(saero.state_dir)}" for path in remains]
    return faults + _copy_faults(saero)


def _published(saero: Saero) -> tuple[int, int]:
    record = read_published(saero.index_dir)
    return (record.version, record.retired_version) if record else (-1, -1)


def _made_by(encoder: Any, row: dict[str, Any]) -> bool:
    """Tell whether a row's vector, stored with 16 bits, is that of its text."""
    if row["encoder_id"] != encoder.encoder_id or row["vector"] is None:
        return False
    return bool(np.allclose(row["vector"], encoder.embed_query(row["text"]), atol=2e-3))


def _vector_faults(encoder: Any, rows_of_part: list[dict[str, Any]], part: str) -> list[str]:
    wrong = sum(not _made_by(encoder, row) for row in rows_of_part)
    return [f"{part}: {wrong} vectors aren't the encoder's"] if wrong else []


def _copy_faults(saero: Saero) -> list[str]:
    """Compare the outbox folder and the day's backup with the ledger."""
    with saero.ledger.transaction("crash") as con:
        mails = int(one(con, "select count(*) from mails") or 0)
        counts = {
            table: int(one(con, f"select count(*) from {table}") or 0)
            for table in ("decisions", "canaries", "canary_history")
        }
    files = len(list(saero.outbox_dir.glob("*.eml")))
    faults = [f"{mails} mails in the ledger, {files} in the outbox"] if files != mails else []
    lines = [json.loads(line)["table"] for line in newest_backup(saero.backup_dir)]
    faults += [
        f"backup: {lines.count(table)} of {count} {table}"
        for table, count in counts.items()
        if lines.count(table) != count
    ]
    return faults


def quiet() -> None:
    """Keep the log of a thousand nights off the screen."""
    logging.disable(logging.CRITICAL)
