"""What the ledger knows of versions before a night, and what persons' answers mean for tonight's texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.version_rule import Alike
from pipelines.versions import Pair, Similarity
from resources.ledger.likeness import Figures

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Past:
    """What the ledger knows of versions before the night: what stands, what is asked, what persons answered."""

    standing: tuple[Row, ...]
    asked: tuple[Row, ...]
    answers: Mapping[str, Row]
    likeness: Mapping[Pair, Figures]

    def pairs(self, said: str) -> list[Pair]:
        """Return the (older, newer) bodies that persons accepted or rejected, the newest answer first."""
        given = [row for row in self.answers.values() if row["answer"] == said]
        given.sort(key=lambda row: (row["decided_at"], row["a_body"], row["b_body"]), reverse=True)
        return [(row["a_body"], row["b_body"]) for row in given]


def carried(rows: Iterable[Row], past: Past, parted: set[Pair], likeness: Similarity) -> dict[Pair, str]:
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
        if newer == row["newer_body"] or Alike(*likeness(older, newer)).enough:
            found[older, newer] = answered
    return found


def kept(rows: Sequence[Row], past: Past) -> set[str]:
    """Return the bodies of documents that a person kept and somebody has edited since: they don't leave unasked."""
    at = _by_place(rows)
    bodies = set(at.values())
    given = [
        row["evidence"] for row in past.answers.values() if row["answer"] == "reject" and row["a_body"] not in bodies
    ]
    return {at[said["older"]] for said in given if said.get("older") in at} | (
        {said["older_now"] for said in given if "older_now" in said} & bodies
    )


def moved(rows: Sequence[Row], past: Past) -> dict[str, Row]:
    """Return id -> value of the answers whose documents were renamed or edited, with where and what they are now.

    An edit after a rename is known by the new name, a rename after an edit by the new text (`older_now`).
    """
    at = _by_place(rows)
    lies = {body: place for place, body in reversed(at.items())}
    found: dict[str, Row] = {}
    for key, row in past.answers.items():
        said = row["evidence"]
        now: dict[str, str] = {}
        for side, text in (("older", row["a_body"]), ("newer", row["b_body"])):
            body, place = text if text in lies else said.get(f"{side}_now"), said.get(side)
            if body in lies and at.get(place) != body:
                now[side] = lies[body]
            elif body not in lies and place in at:
                now[f"{side}_now"] = at[place]
        if now:
            value = {name: part for name, part in row.items() if name != "decided_at"}
            found[key] = {**value, "evidence": {**said, **now}}
    return found


def _by_place(rows: Iterable[Row]) -> dict[str, str]:
    return {f"{row['source']}/{row['path']}": row["body_hash"] for row in rows}


def disowned(row: Row, past: Past) -> bool:
    """Tell whether a replacement rested on an answer that a person took back."""
    answered = row["evidence"].get("answered")
    return bool(answered) and past.answers.get(answered, {}).get("answer") != "accept"


def pair_of(row: Row) -> Pair:
    """Return (older, newer) bodies of a row of `replacements`."""
    return row["older_body"], row["newer_body"]
