"""Versions of a night: what the rule and persons replace, what waits in the review queue, and what came back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from assets.stages.stored import blocks_of
from pipelines.body import compared_text
from pipelines.compared import chosen, content_of
from pipelines.near import Edge, shared
from pipelines.records import Finding
from pipelines.review import item_id
from pipelines.sketch import Hashes, folded, grams
from pipelines.states import READING
from pipelines.version_rule import Alike
from pipelines.versions import Named, Pair, Replacement, Similarity, replacements
from resources.build import Run
from resources.ledger import replacements as replacement_store
from resources.ledger import reviews

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]

# 5-grams of so many bodies are kept while a night's pairs are compared: chains lie side by side.
_KEPT = 32


@dataclass(frozen=True, slots=True)
class Past:
    """What the ledger knows of versions before the night: what stands, what is asked, what persons answered."""

    standing: tuple[Row, ...]
    asked: tuple[Row, ...]
    answers: Mapping[str, Row]

    def pairs(self, said: str) -> list[Pair]:
        """Return the (older, newer) bodies that persons accepted or rejected, the newest answer first."""
        given = [row for row in self.answers.values() if row["answer"] == said]
        given.sort(key=lambda row: (row["decided_at"], row["a_body"], row["b_body"]), reverse=True)
        return [(row["a_body"], row["b_body"]) for row in given]


@dataclass(frozen=True, slots=True)
class Held:
    """A replacement that holds: under which policy, and the answer that it rests on ("" for the rule alone)."""

    edge: Replacement
    policy: str
    answered: str = ""


@dataclass(frozen=True, slots=True)
class Versions:
    """What a night decides: older body -> what replaces it, and the pairs that a person must look at."""

    held: Mapping[str, Held]
    doubtful: tuple[Replacement, ...]
    taken_back: frozenset[Pair]

    @property
    def replaced(self) -> dict[str, str]:
        """Older body -> newer body."""
        return {body: held.edge.newer_body for body, held in self.held.items()}

    @property
    def demoted(self) -> set[str]:
        """Older bodies that stay in the main table."""
        return {body for body, held in self.held.items() if held.policy == "demote"}


def remember(con: duckdb.DuckDBPyConnection) -> Past:
    """Read what is known of versions."""
    return Past(
        tuple(replacement_store.standing(con)),
        tuple(reviews.opened(con, "version")),
        reviews.answers(con, "version"),
    )


def decide(run: Run, serving: Sequence[Row], past: Past, edges: Iterable[Edge], rejected: set[str]) -> Versions:
    """Apply rule and answers to the documents that serve a body; bodies in `rejected` replace nothing."""
    rows = [row for row in serving if row["body_hash"] not in rejected and not row["mail"]]
    similarity = _similarity(run, serving, past)
    accepted, parted = past.pairs("accept"), past.pairs("reject")
    rests = {pair: item_id("version", *pair) for pair in accepted}
    rests |= _carried(rows, past, set(parted), similarity)
    standing = {row["newer_body"] for row in past.standing}
    decided = replacements(
        [_named(row, standing) for row in rows],
        similarity,
        edges=edges,
        accepted=list(rests),
        rejected=parted,
        kept=_kept(rows, past),
    )
    policies = {source.name: source.versions for source in run.saero.sources}
    held = _by_rule(decided.automatic, policies)
    for edge in decided.accepted:
        policy = policies.get(edge.older[0], "replace")
        answered = rests[edge.older_body, edge.newer_body]
        held[edge.older_body] = Held(edge, "demote" if policy == "demote" else "replace", answered)
    listed = [edge for edge in decided.automatic if edge.older_body not in held]
    taken_back = frozenset(
        (row["older_body"], row["newer_body"])
        for row in past.standing
        if (row["older_body"], row["newer_body"]) in parted or _disowned(row, past)
    )
    return Versions(held, (*decided.doubtful, *_first_of_each(listed)), taken_back)


def record(con: duckdb.DuckDBPyConnection, run: Run, versions: Versions) -> None:
    """Write down what holds and what is asked; leaves the findings of the night for the gap analysis."""
    ended = replacement_store.sync(
        con, [_row(run, held) for held in versions.held.values()], run.now, taken_back=versions.taken_back
    )
    reviews.sync(con, "version", [_item(edge) for edge in versions.doubtful], run.now)
    run.memory["doubts"] = [_doubt(edge) for edge in versions.doubtful]
    run.memory["returned"] = [_returned(row) for row in ended]


def _named(row: Row, standing: set[str]) -> Named:
    """A damaged or absent file whose last good text is still served keeps its place in the chain, and takes no new."""
    properties = json.loads(row["properties"] or "{}")
    said = [str(properties[key]) for key in ("status", "상태") if key in properties]
    return Named(
        row["source"],
        row["path"],
        row["body_hash"],
        row["chars"] or 0,
        row["modified_at"],
        " ".join([row["title"] or "", *said]),
        sound=row["state"] not in READING or row["body_hash"] in standing,
        written_at=datetime.fromtimestamp(row["mtime_ns"] / 1e9, UTC),
    )


def _similarity(run: Run, serving: Iterable[Row], past: Past) -> Similarity:
    """Return how alike two bodies are; figures that are known are not measured again.

    So what can't be compared any more, because its words are lost and its file is away, stays as it was decided.
    """
    contents = chosen(
        (row["body_hash"], content_of(row["format"], row["served_hash"], row["parser_version"])) for row in serving
    )
    told = [((row["a_body"], row["b_body"]), row["evidence"]) for row in (*past.answers.values(), *past.asked)]
    told += [((row["older_body"], row["newer_body"]), row["evidence"]) for row in past.standing]
    known = {pair: (said["jaccard"], said["containment"]) for pair, said in told if "jaccard" in said}
    standing = {(row["older_body"], row["newer_body"]) for row in past.standing}

    @lru_cache(maxsize=_KEPT)
    def grams_of(body: str) -> Hashes | None:
        content = contents[body]
        blocks = blocks_of(run, content.content_hash, content.parser_version)
        return None if blocks is None else grams(folded(compared_text(blocks)))

    def similarity(older: str, newer: str) -> tuple[float, float]:
        if (older, newer) in known:
            return known[older, newer]
        a, b = grams_of(older), grams_of(newer)
        if a is None or b is None:
            return (1.0, 1.0) if (older, newer) in standing else (0.0, 0.0)
        if not (both := shared(a, b)):
            return 0.0, 0.0
        return both / (len(a) + len(b) - both), both / len(a)

    return similarity


def _carried(rows: Iterable[Row], past: Past, parted: set[Pair], similarity: Similarity) -> dict[Pair, str]:
    """Return pairs that rest on an answer about an earlier text of the newer document -> the answer's id.

    Who accepted that 제안서_최종 replaces 제안서_초안 isn't asked again when a slip in 제안서_최종 is mended.
    """
    at = {(row["source"], row["path"]): row["body_hash"] for row in rows}
    bodies = set(at.values())
    found: dict[Pair, str] = {}
    for row in past.standing:
        answered = row["evidence"].get("answered", "")
        if past.answers.get(answered, {}).get("answer") != "accept":
            continue
        older, newer = row["older_body"], row["newer_body"]
        if newer not in bodies:
            newer = at.get((row["newer_source"], row["newer_path"]), older)
        if older == newer or older not in bodies or {(older, newer), (newer, older)} & parted:
            continue
        if newer == row["newer_body"] or Alike(*similarity(older, newer)).enough:
            found[older, newer] = answered
    return found


def _kept(rows: Iterable[Row], past: Past) -> set[str]:
    """Return the bodies of documents that a person kept and somebody has edited since: they don't leave unasked."""
    at = {f"{row['source']}/{row['path']}": row["body_hash"] for row in rows}
    bodies = set(at.values())
    given = [row for row in past.answers.values() if row["answer"] == "reject" and row["a_body"] not in bodies]
    return {at[place] for row in given if (place := row["evidence"].get("older")) in at}


def _disowned(row: Row, past: Past) -> bool:
    """Tell whether a replacement rested on an answer that a person took back."""
    answered = row["evidence"].get("answered")
    return bool(answered) and past.answers.get(answered, {}).get("answer") != "accept"


def _by_rule(automatic: Iterable[Replacement], policies: Mapping[str, str]) -> dict[str, Held]:
    """Return older body -> what replaces it and how; of a chain v1 -> v2 -> v3 each names its next.

    The policy is that of the source in which the two were compared, whoever else holds a copy. Where sources compared
    the same two, the one that asks for more decides, for a body has one state wherever it lies.
    """
    applied: dict[str, Held] = {}
    for edge in automatic:
        policy = policies.get(edge.older[0], "replace")
        if policy == "list":
            continue
        held = applied.get(edge.older_body)
        if held is None or (held.policy, policy) == ("demote", "replace"):
            applied[edge.older_body] = Held(edge, policy)
    return applied


def _first_of_each(listed: Iterable[Replacement]) -> list[Replacement]:
    first: dict[str, Replacement] = {}
    for edge in listed:
        first.setdefault(edge.older_body, edge)
    return list(first.values())


def _row(run: Run, held: Held) -> Row:
    edge = held.edge
    return {
        "older_body": edge.older_body,
        "newer_body": edge.newer_body,
        "older_source": edge.older[0],
        "older_path": edge.older[1],
        "newer_source": edge.newer[0],
        "newer_path": edge.newer[1],
        "policy": held.policy,
        "evidence": {**edge.evidence, "answered": held.answered} if held.answered else edge.evidence,
        "run_id": run.id,
        "decided_at": run.now,
    }


def _item(edge: Replacement) -> Row:
    older, newer = edge.older_body, edge.newer_body
    return reviews.new_item(
        item_id("version", older, newer), "version", a_body=older, b_body=newer, evidence=edge.evidence
    )


def _doubt(edge: Replacement) -> Finding:
    detail = {
        "newer": "/".join(edge.newer),
        "id": item_id("version", edge.older_body, edge.newer_body),
        "why": edge.why,
        "jaccard": round(edge.jaccard, 2),
    }
    return Finding("version_doubt", *edge.older, detail=detail)


def _returned(row: Row) -> Finding:
    """The newer version is gone from disk: the one before serves again."""
    newer = f"{row['newer_source']}/{row['newer_path']}"
    return Finding("version_returned", row["older_source"], row["older_path"], {"newer": newer})
