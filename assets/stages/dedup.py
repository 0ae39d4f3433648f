"""Dedup: which document serves each body, which version is past, and what has expired."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from assets.stages import near
from assets.stages.stored import blocks_of
from pipelines.body import squeezed
from pipelines.dedup import Copy, containment, jaccard, shingles5
from pipelines.expiry import Dated, Expiry, expires_at, rule
from pipelines.records import Finding
from pipelines.states import READING
from pipelines.states import settle as settle_states
from pipelines.versions import Decisions, Named, Replacement, replacements
from resources.build import Run
from resources.ledger import decisions, passages
from resources.ledger import documents as document_store
from resources.ledger import replacements as replacement_store

Row = dict[str, Any]
Key = tuple[str, str]


def settle(run: Run) -> dict[str, Any]:
    """Decide the state of every document and write down each replacement with its evidence."""
    saero = run.saero
    run.stage("dedup")
    with saero.ledger.transaction("dedup") as con:
        rows = document_store.present(con)
        renewed = decisions.standing(con, "renew")
        rejected = set(decisions.standing(con, "reject"))
        undone = replacement_store.undone(con)
        standing = {(row["older_body"], row["newer_body"]) for row in replacement_store.standing(con)}
    serving = [row for row in rows if row["served_hash"] is not None and row["has_text"]]
    edges = near.follow(run, serving)
    places = {(row["source"], row["path"]): row for row in serving}
    decided = _versions(run, serving, rejected, standing)
    policies = {source.name: source.versions for source in saero.sources}
    applied = _apply_policies(decided.automatic, policies, undone, rejected)
    demoted = {body for body, (_, policy) in applied.items() if policy == "demote"}
    changed = settle_states(
        rows,
        copies={key: _copy(run, row) for key, row in places.items()},
        replaced={body: edge.newer_body for body, (edge, _) in applied.items()},
        demoted=demoted,
        expiry=_expiry(run, serving, renewed),
        rejected=rejected,
        now=run.now,
    )
    with saero.ledger.transaction("dedup") as con:
        document_store.change(con, changed)
        ended = replacement_store.sync(con, _replacement_rows(run, applied), run.now)
        counts = passages.states(con)
    run.memory["doubts"] = _doubts(decided, applied, policies)
    run.memory["returned"] = [_returned(row) for row in ended]
    states: Counter[str] = Counter()
    for by_state in counts.values():
        states.update(by_state)
    documents = run.counts.setdefault("documents", {})
    documents.update({name: states[name] for name in ("duplicate", "superseded", "expired")})
    families = near.counted(serving, edges, run.now)
    return {**{f"state_{name}": count for name, count in states.items()}, "changed": len(changed), **families}


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


def _versions(run: Run, serving: list[Row], rejected: set[str], standing: set[tuple[str, str]]) -> Decisions:
    """Ask the version rule; contents are compared only for names that may be versions of one thing.

    What can't be compared any more, because its words are lost and its file is away, stays as it was decided.
    """
    texts: dict[str, frozenset[str] | None] = {}
    contents: dict[str, set[tuple[str, str]]] = {}
    for row in serving:
        contents.setdefault(row["body_hash"], set()).add((row["served_hash"], row["parser_version"]))

    def grams(body: str) -> frozenset[str] | None:
        if body not in texts:
            read = (blocks_of(run, *content) for content in sorted(contents[body]))
            blocks = next((found for found in read if found is not None), None)
            texts[body] = None if blocks is None else shingles5(squeezed(blocks))
        return texts[body]

    def similarity(older: str, newer: str) -> tuple[float, float]:
        a, b = grams(older), grams(newer)
        if a is None or b is None:
            return (1.0, 1.0) if (older, newer) in standing else (0.0, 0.0)
        return jaccard(a, b), containment(a, b)

    # A damaged file whose last good text is still served keeps its place in the chain.
    named = [_named(row) for row in serving if row["body_hash"] not in rejected and not row["mail"]]
    return replacements(named, similarity)


def _named(row: Row) -> Named:
    properties = json.loads(row["properties"] or "{}")
    says = " ".join([row["title"] or "", properties.get("status", "")])
    return Named(row["source"], row["path"], row["body_hash"], row["chars"] or 0, row["modified_at"], says)


def _apply_policies(
    automatic: tuple[Replacement, ...], policies: dict[str, str], undone: set[tuple[str, str]], rejected: set[str]
) -> dict[str, tuple[Replacement, str]]:
    """Return older body -> the replacement that holds and its policy; of a chain v1 -> v2 -> v3 each names its next.

    The policy is that of the source in which the two were compared, whoever else holds a copy. Where sources compared
    the same two, the one that asks for more decides, for a body has one state wherever it lies.
    """
    applied: dict[str, tuple[Replacement, str]] = {}
    for edge in automatic:
        policy = policies.get(edge.older[0], "replace")
        if policy == "list" or (edge.older_body, edge.newer_body) in undone or edge.newer_body in rejected:
            continue
        held = applied.get(edge.older_body)
        if held is None or (held[1], policy) == ("demote", "replace"):
            applied[edge.older_body] = edge, policy
    return applied


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


def _replacement_rows(run: Run, applied: dict[str, tuple[Replacement, str]]) -> list[Row]:
    return [
        {
            "older_body": edge.older_body,
            "newer_body": edge.newer_body,
            "older_source": edge.older[0],
            "older_path": edge.older[1],
            "newer_source": edge.newer[0],
            "newer_path": edge.newer[1],
            "policy": policy,
            "evidence": {"why": edge.evidence},
            "run_id": run.id,
            "decided_at": run.now,
        }
        for edge, policy in applied.values()
    ]


def _doubts(decided: Decisions, applied: dict[str, tuple[Replacement, str]], policies: dict[str, str]) -> list[Finding]:
    """Say which pairs a person should look at: doubtful ones, and certain ones where the source only lists them."""
    listed = [
        edge for edge in decided.automatic if policies.get(edge.older[0]) == "list" and edge.older_body not in applied
    ]
    return [
        Finding("version_doubt", *edge.older, detail={"newer": "/".join(edge.newer), "why": edge.evidence})
        for edge in (*decided.doubtful, *listed)
    ]


def _returned(row: Row) -> Finding:
    """The newer version is gone from disk: the one before serves again."""
    newer = f"{row['newer_source']}/{row['newer_path']}"
    return Finding("version_returned", row["older_source"], row["older_path"], {"newer": newer})
