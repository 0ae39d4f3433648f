"""Versions of a night: what the rule and persons replace, what waits in the review queue, and what came back."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from assets.stages.likeness import Likeness
from assets.stages.policies import Policies
from assets.stages.version_answers import Past, carried, disowned, kept, moved, pair_of
from pipelines.compared import chosen, content_of
from pipelines.near import Edge
from pipelines.records import Finding
from pipelines.review import item_id
from pipelines.states import READING
from pipelines.version_claims import claims_of
from pipelines.version_rule import Place
from pipelines.versions import Named, Pair, Replacement, replacements
from resources.build import Run
from resources.ledger import decisions, reviews
from resources.ledger import findings as finding_store
from resources.ledger import likeness as likeness_store
from resources.ledger import replacements as replacement_store
from resources.ledger.likeness import Figures
from resources.ledger.rows import fetch

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Held:
    """A replacement that holds: under which policy, and the answer that it rests on ("" for the rule alone)."""

    edge: Replacement
    policy: str
    answered: str = ""


@dataclass(frozen=True, slots=True)
class Versions:
    """What a night decides: older body -> what replaces it, and the pairs that a person must look at.

    likeness  the figures that it asked for
    moved     id -> answer whose documents lie elsewhere now
    """

    held: Mapping[str, Held]
    doubtful: tuple[Replacement, ...]
    taken_back: frozenset[Pair]
    likeness: Mapping[Pair, Figures]
    moved: Mapping[str, Row]

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
        likeness_store.known(con),
    )


def decide(
    run: Run,
    serving: Sequence[Row],
    past: Past,
    edges: Iterable[Edge],
    rejected: set[str],
    ended: Collection[Place],
    today: date,
) -> Versions:
    """Apply rule and answers to the documents that serve a body; the last day of those that `ended` is past.

    Bodies in `rejected` keep what they replaced, for their words stand elsewhere, and take no new.
    """
    rows = [row for row in serving if not row["mail"]]
    likeness = _likeness(run, serving, past)
    accepted, parted = past.pairs("accept"), past.pairs("reject")
    rests = {pair: item_id("version", *pair) for pair in accepted}
    rests |= carried(rows, past, set(parted), likeness)
    standing = {row["newer_body"] for row in past.standing}
    decided = replacements(
        [_named(row, standing, rejected, ended) for row in rows],
        likeness,
        edges=edges,
        accepted=list(rests),
        rejected=parted,
        kept=kept(rows, past),
        away=rejected,
        today=today,
    )
    policies = Policies({source.name: source.versions for source in run.saero.sources}, past.standing)
    held = _by_rule(decided.automatic, policies)
    for edge in decided.accepted:
        if policy := policies.of_accepted(edge):
            held[edge.older_body] = Held(edge, policy, rests[edge.older_body, edge.newer_body])
    listed = [
        edge
        for edge in decided.automatic
        if edge.older_body not in held and not {edge.older_body, edge.newer_body} & rejected
    ]
    taken_back = frozenset(pair_of(row) for row in past.standing if pair_of(row) in parted or disowned(row, past))
    doubtful = (*decided.doubtful, *_first_of_each(listed))
    return Versions(held, doubtful, taken_back, likeness.asked, moved(rows, past))


def record(con: duckdb.DuckDBPyConnection, run: Run, versions: Versions) -> None:
    """Write down what holds and what is asked; leaves the findings of the night for the gap analysis."""
    ended = replacement_store.sync(
        con, [_row(run, held) for held in versions.held.values()], run.now, taken_back=versions.taken_back
    )
    likeness_store.keep(con, versions.likeness)
    decisions.amend(con, "answer", versions.moved)
    reviews.sync(con, "version", [_item(edge) for edge in versions.doubtful], run.now)
    run.memory["doubts"] = [_doubt(edge) for edge in versions.doubtful]
    found = [*returned_before(con, run), *(_returned(row) for row in ended)]
    finding_store.begin(con, found, run_id=run.id, now=run.now)
    run.memory["returned"] = found


def returned_before(con: duckdb.DuckDBPyConnection, run: Run) -> list[Finding]:
    """Return what a run that was cut off found to have come back and may not have told, where it still serves.

    That a replacement ended is seen once, in the transaction that ends it, so the finding is written there too.
    """
    rows = fetch(
        con,
        """
        select f.source, f.path, f.detail from findings f join runs r on r.run_id = f.seen_run
        join documents d on d.source = f.source and d.path = f.path and d.state = 'live'
        where f.kind = 'version_returned' and f.resolved_at is null and r.outcome in ('killed', 'failed')
        order by f.opened_at, f.source, f.path
        """,
    )
    found = [Finding("version_returned", row["source"], row["path"], json.loads(row["detail"])) for row in rows]
    finding_store.see(con, found, run.id)
    return found


def _named(row: Row, standing: set[str], rejected: set[str], ended: Collection[Place]) -> Named:
    """A damaged or absent file whose last good text is still served keeps its place in the chain, and takes no new.

    So does what a person took out of search.
    """
    claims = claims_of(row["title"] or "", json.loads(row["properties"] or "{}"))
    return Named(
        row["source"],
        row["path"],
        row["body_hash"],
        row["chars"] or 0,
        row["modified_at"],
        " ".join([claims.title, *claims.statuses]),
        sound=(row["state"] not in READING and row["body_hash"] not in rejected) or row["body_hash"] in standing,
        written_at=datetime.fromtimestamp(row["mtime_ns"] / 1e9, UTC),
        claims=claims,
        ended=(row["source"], row["path"]) in ended,
    )


def _likeness(run: Run, serving: Iterable[Row], past: Past) -> Likeness:
    """Return how alike two bodies are; figures that are known are not measured again."""
    contents = chosen(
        (row["body_hash"], content_of(row["format"], row["served_hash"], row["parser_version"])) for row in serving
    )
    told = [((row["a_body"], row["b_body"]), row["evidence"]) for row in (*past.answers.values(), *past.asked)]
    told += [((row["older_body"], row["newer_body"]), row["evidence"]) for row in past.standing]
    decided = {pair: (said["jaccard"], said["containment"]) for pair, said in told if "jaccard" in said}
    return Likeness(run, contents, past.likeness, decided, frozenset(map(pair_of, past.standing)))


def _by_rule(automatic: Iterable[Replacement], policies: Policies) -> dict[str, Held]:
    """Return older body -> what replaces it and how; of a chain v1 -> v2 -> v3 each names its next.

    Where sources compared the same two, the one that asks for more decides, for a body has one state wherever it lies.
    """
    applied: dict[str, Held] = {}
    for edge in automatic:
        policy = policies.of(edge)
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
