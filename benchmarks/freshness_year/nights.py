"""One night of every stage with the real encoder's vectors, and what it left and told."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from fakes import InlinePool, ledger_left_open
from office import FOLDERS, LIBRARY, Fact
from vectors import CachedEncoder

import resources.build
from assets.stages import index
from assets.stages.chunk import cut_bodies
from assets.stages.dedup import settle
from assets.stages.embed import embed_missing
from assets.stages.gap import analyse
from assets.stages.index import publish
from assets.stages.parse import parse_sources
from assets.stages.quality import judge
from resources.build import Saero, build, open_run
from resources.ledger.rows import fetch
from resources.searcher import Searcher

Vectors = npt.NDArray[np.float32]


class RecordedEncoder:
    """The bundled encoder, each text encoded once a machine; with a name, another encoder of the same quality.

    The other one is the same space turned by a fixed rotation: cosines within it are those of the bundled encoder, and
    those between the two are noise, as between any two models.
    """

    def __init__(self, recorded: CachedEncoder, name: str = "") -> None:
        self._recorded = recorded
        self._kept: dict[str, Vectors] = {}
        self.encoder_id = recorded.encoder_id + (f"-{name}" if name else "")
        self.tokenizer_id = recorded.batch.tokenizer_id
        self.dimension = recorded.batch.dimension
        self.max_tokens = recorded.batch.max_tokens
        square = np.random.default_rng(1).normal(size=(self.dimension, self.dimension))
        self._turn = np.linalg.qr(square)[0].astype(np.float32) if name else None

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._recorded.batch.count_tokens(texts)

    def pieces(self, words: Sequence[str]) -> int:
        return self._recorded.pieces(words)

    def embed_passages(self, texts: Sequence[str], on_batch: Callable[[int, int], None] | None = None) -> Vectors:
        vectors = self._turned(self._recorded.passages(texts))
        if on_batch is not None:
            on_batch(len(texts), len(texts))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        if text not in self._kept:
            self._kept[text] = self._turned(self._recorded.queries([text]))[0]
        return self._kept[text]

    def _turned(self, vectors: Vectors) -> Vectors:
        return vectors if self._turn is None else vectors @ self._turn


def settings(facts: Sequence[Fact]) -> str:
    """Return saero.toml: five folders, a digest every night, a canary for each answer."""
    sources = "".join(f'[sources."{name}"]\npath = "docs/{name}"\n' for name in (*FOLDERS, LIBRARY))
    asked = "".join(
        f'[[canaries]]\nquery = "{fact.question}"\nexpect_path = "{fact.place}"\nmin_score = 0.6\n'
        + (f'expect_text = "{fact.value}"\n' if fact.watched else "")
        for fact in facts
    )
    return f'state = "state"\n{sources}[mail]\nrecipients = ["ops@example.com"]\ndigest = "nightly"\n{asked}'


@dataclass(frozen=True, slots=True)
class Told:
    """A line of a mail: which alert, its kind and state, which question or place; `urgent` is the mail's kind."""

    alert: str
    kind: str
    state: str
    query: str
    source: str
    path: str
    mail: str
    urgent: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """What a night left.

    states  question -> state of its canary; scores  question -> pair score of the best passage of its document
    rows    (place, text) of everything that a search may find now
    """

    states: dict[str, str]
    scores: dict[str, float]
    rows: list[tuple[str, str]]
    told: list[Told]
    held: bool


def night(home: Path, run_id: str, now: datetime, encoder: RecordedEncoder, facts: Sequence[Fact]) -> Seen:
    """Play every stage of one run at `now`."""
    saero = build(str(home / "saero.toml"))
    saero.encoder = saero.query_encoder = encoder  # type: ignore[assignment]
    saero.pool = lambda: InlinePool(saero.limits)  # type: ignore[method-assign,assignment,return-value]
    with (
        clock(now),
        ledger_left_open(),
        open_run(saero, run_id, trigger="bench", wait=timedelta(0)) as run,
    ):
        before = _mails(saero)
        parse_sources(run, [source.name for source in saero.sources])
        settle(run)
        cut_bodies(run)
        embed_missing(run)
        judge(run)
        publish(run)
        analyse(run)
        told = _told(saero, before)
        states = _states(saero)
    return _seen(saero, now, facts, states, told, held=bool(run.held))


def published_scores(home: Path, now: datetime, encoder: RecordedEncoder, asked: Mapping[str, str]) -> dict[str, float]:
    """Publish the documents below `home`; returns place -> pair score with the question asked of it."""
    (home / "saero.toml").write_text(settings([]), encoding="utf-8")
    night(home, "scores", now, encoder, [])
    saero = build(str(home / "saero.toml"))
    searcher = Searcher(saero.reader(), encoder)
    places = {f"{row['source']}/{row['path']}": row for row in searcher.reader.get()}
    queries = {question: searcher.query(question) for question in set(asked.values())}
    return {place: searcher.pair_score(queries[asked[place]], row) for place, row in places.items() if place in asked}


def _mails(saero: Saero) -> set[str]:
    with saero.ledger.transaction("bench") as con:
        return {row["mail_id"] for row in fetch(con, "select mail_id from mails")}


def _states(saero: Saero) -> dict[str, str]:
    with saero.ledger.transaction("bench") as con:
        return {row["query"]: row["state"] for row in fetch(con, "select query, state from canaries")}


def _told(saero: Saero, before: set[str]) -> list[Told]:
    """Return what the mails of this night tell."""
    sql = """select a.alert_id, a.source, a.path, a.evidence, a.told, m.mail_id, m.kind as mail_kind
             from alerts a join mails m on m.mail_id = a.mail_id where not list_contains(?, m.mail_id)"""
    with saero.ledger.transaction("bench") as con:
        rows = fetch(con, sql, [sorted(before)])
    lines = []
    for row in rows:
        told = json.loads(row["told"]) if isinstance(row["told"], str) else row["told"]
        evidence = json.loads(row["evidence"] or "{}")
        lines.append(
            Told(
                row["alert_id"], told["kind"], told["state"], evidence.get("query", ""), row["source"] or "",
                row["path"] or "", row["mail_id"], row["mail_kind"] == "urgent",
            )
        )  # fmt: skip
    return lines


def _seen(
    saero: Saero, now: datetime, facts: Sequence[Fact], states: dict[str, str], told: list[Told], *, held: bool
) -> Seen:
    reader = saero.reader()
    rows = [row for row in reader.get() if row["expires_at"] is None or row["expires_at"] > now]
    searcher = Searcher(reader, saero.query_encoder)
    by_place: dict[str, list[Any]] = {}
    for row in rows:
        by_place.setdefault(f"{row['source']}/{row['path']}", []).append(row)
    scores = {
        fact.question: max(searcher.pair_score(searcher.query(fact.question), row) for row in by_place[fact.place])
        for fact in facts
        if fact.place in by_place
    }
    texts = [(place, row["text"]) for place, found in by_place.items() for row in found]
    return Seen(states, scores, texts, told, held)


@contextmanager
def clock(now: datetime) -> Iterator[None]:
    """Let a run begin, publish and end at `now`."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return now.astimezone(tz or UTC)

    with patch.object(resources.build, "datetime", Clock), patch.object(index, "datetime", Clock):
        yield


def progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
