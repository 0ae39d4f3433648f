"""Dedup: which document serves each body, which version is past, and what has expired."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from assets.stages import near, redundant, versions
from pipelines.accepted import holding
from pipelines.dedup import Copy
from pipelines.expiry import Dated, Expiry, expires_at, rule
from pipelines.states import READING
from pipelines.states import settle as settle_states
from resources.build import Run
from resources.ledger import decisions, passages, reviews
from resources.ledger import documents as document_store

Row = dict[str, Any]
Key = tuple[str, str]


def settle(run: Run) -> dict[str, Any]:
    """Decide the state of every document; versions say which body replaces which."""
    saero = run.saero
    run.stage("dedup")
    with saero.ledger.transaction("dedup") as con:
        rows = document_store.present(con)
        renewed = decisions.standing(con, "renew")
        accepted = reviews.accepted_covers(con)
        past = versions.remember(con)
    serving = [row for row in rows if row["served_hash"] is not None and row["has_text"]]
    expiry = _expiry(run, serving, renewed)
    ended = {key for key, item in expiry.items() if item.at <= run.now}
    alive = {row["body_hash"] for row in serving if (row["source"], row["path"]) not in ended}
    alike = near.follow(run, serving)
    decided = versions.decide(run, serving, past, alike.edges, holding(accepted, alive), ended)
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
    with saero.ledger.transaction("dedup") as con:
        document_store.change(con, changed)
        versions.record(con, run, decided)
        redundant.record(con, run, current, rejected)
        counts = passages.states(con)
    states: Counter[str] = Counter()
    for by_state in counts.values():
        states.update(by_state)
    documents = run.counts.setdefault("documents", {})
    documents.update({name: states[name] for name in ("duplicate", "superseded", "expired")})
    return {**{f"state_{name}": count for name, count in states.items()}, "changed": len(changed), **alike.labels}


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


def _expiry(run: Run, serving: list[Row], renewed: dict[str, Row]) -> dict[Key, Expiry]:
    """Return when documents expire; what a person renewed counts to that day."""
    zone = run.saero.settings.zone
    rules = {
        source.name: [rule(item.match, item.after, item.until) for item in source.ttl] for source in run.saero.sources
    }
    found: dict[Key, Expiry] = {}
    for row in serving:
        dated = Dated(
            row["path"],
            row["title"] or "",
            row["modified_at"],
            row["clock"],
            datetime.fromtimestamp(row["mtime_ns"] / 1e9, UTC),
            json.loads(row["properties"] or "{}"),
        )
        expiry = expires_at(dated, rules.get(row["source"], []), zone, run.now)
        renewal = renewed.get(row["body_hash"])
        if renewal is not None:
            until = datetime.fromisoformat(renewal["until"])
            if expiry is not None and until > expiry.at:
                expiry = Expiry(until, "renewed by a person")
        if expiry is not None:
            found[row["source"], row["path"]] = expiry
    return found
