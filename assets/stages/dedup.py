"""Dedup: which document serves each body, which version is past, and what has expired."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from assets.stages import near, redundant, versions
from pipelines.accepted import holding
from pipelines.dedup import Copy
from pipelines.expiry import Dated, Expiry, counts_from, expires_at, rule
from pipelines.states import READING
from pipelines.states import settle as settle_states
from pipelines.today import Today
from resources.build import Run
from resources.ledger import decisions, passages, reviews, settled
from resources.ledger import documents as document_store
from resources.program import program_digest

Row = dict[str, Any]
Key = tuple[str, str]


def settle(run: Run) -> dict[str, Any]:
    """Decide the state of every document; versions say which body replaces which.

    When nothing that it reads differs from the last time, it decides nothing: states, questions and findings stand. The
    gap analysis remembers what that was, with the findings of the night.
    """
    saero = run.saero
    run.stage("dedup")
    rested_on = _rests_on(run)
    with saero.ledger.transaction("dedup") as con:
        labels = settled.standing(con, settled.digest(con, rested_on), run.now)
        if labels is not None:
            run.memory["returned"] = versions.returned_before(con, run)
            return _report(run, passages.states(con), 0, labels)
        rows = document_store.present(con)
        renewed = decisions.standing(con, "renew")
        accepted = reviews.accepted_covers(con)
        past = versions.remember(con)
    serving = [row for row in rows if row["served_hash"] is not None and row["has_text"]]
    dated = {(row["source"], row["path"]): _dated(row) for row in serving}
    expiry = _expiry(run, serving, dated, renewed)
    ended = {key for key, item in expiry.items() if item.at <= run.now}
    alive = {row["body_hash"] for row in serving if (row["source"], row["path"]) not in ended}
    alike = near.follow(run, serving)
    today = Today.of(run.now.astimezone(saero.settings.zone))
    decided = versions.decide(run, serving, past, alike.edges, holding(accepted, alive), ended, today)
    current = alive - decided.replaced.keys()
    rejected = holding(accepted, current)
    changed = settle_states(
        rows,
        copies={(row["source"], row["path"]): _copy(run, row) for row in serving},
        replaced=decided.replaced,
        demoted=decided.demoted,
        expiry=expiry,
        rejected=rejected,
        now=run.now,
    )
    turns = [item.at for item in expiry.values() if item.at > run.now]
    turns += [at for one in dated.values() if (at := counts_from(one, run.now)) is not None]
    with saero.ledger.transaction("dedup") as con:
        document_store.change(con, changed)
        versions.record(con, run, decided)
        news = bool(run.memory["returned"])
        redundant.record(con, run, current, rejected)
        # That a version came back is told for one night; lost words are looked for each night.
        if not news and not run.memory.get("lost_bodies"):
            until = min([*turns, *filter(None, [today.turns_at(saero.settings.zone)])], default=None)
            run.memory["settled"] = settled.Settled(settled.digest(con, rested_on), run.now, until, alike.labels)
        counts = passages.states(con)
    return _report(run, counts, len(changed), alike.labels)


def _rests_on(run: Run) -> str:
    """Name what decides beside the ledger: the program, the sources' rules and order, the time zone."""
    rules = [(one.name, one.position, one.versions, one.ttl) for one in run.saero.sources]
    return f"{program_digest()} {run.saero.settings.zone.key} {rules}"


def _report(run: Run, counts: dict[str, dict[str, int]], changed: int, labels: dict[str, int]) -> dict[str, Any]:
    states: Counter[str] = Counter()
    for by_state in counts.values():
        states.update(by_state)
    documents = run.counts.setdefault("documents", {})
    documents.update({name: states[name] for name in ("duplicate", "superseded", "expired")})
    return {**{f"state_{name}": count for name, count in states.items()}, "changed": changed, **labels}


def _copy(run: Run, row: Row) -> Copy:
    source = run.saero.source(row["source"])
    return Copy(
        row["source"],
        row["path"],
        row["body_hash"],
        row["first_seen"],
        source.position if source else len(run.saero.sources),
        row["modified_at"],
        sound=row["state"] not in READING,
    )


def _dated(row: Row) -> Dated:
    return Dated(
        row["path"],
        row["title"] or "",
        row["modified_at"],
        row["clock"],
        datetime.fromtimestamp(row["mtime_ns"] / 1e9, UTC),
        json.loads(row["properties"] or "{}"),
    )


def _expiry(run: Run, serving: list[Row], dated: dict[Key, Dated], renewed: dict[str, Row]) -> dict[Key, Expiry]:
    """Return when documents expire; what a person renewed counts to that day."""
    zone = run.saero.settings.zone
    rules = {
        source.name: [rule(item.match, item.after, item.until) for item in source.ttl] for source in run.saero.sources
    }
    found: dict[Key, Expiry] = {}
    for row in serving:
        key = (row["source"], row["path"])
        expiry = expires_at(dated[key], rules.get(row["source"], []), zone, run.now)
        renewal = renewed.get(row["body_hash"])
        if renewal is not None:
            until = datetime.fromisoformat(renewal["until"])
            if expiry is not None and until > expiry.at:
                expiry = Expiry(until, "renewed by a person")
        if expiry is not None:
            found[key] = expiry
    return found
