"""One state for each document: which serves its body, which is past, which is a copy (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from pipelines.dedup import Copy, representatives
from pipelines.expiry import Expiry

Row = dict[str, Any]
Key = tuple[str, str]  # source, path

# Set on documents that a newer version replaced where the source says versions = "demote": they rank after it.
DEMOTED = "demoted"
# States that reading decided; what dedup finds out doesn't hide them.
READING = frozenset({"held", "failed", "needs_ocr"})


def settle(
    rows: Iterable[Row],
    *,
    copies: Mapping[Key, Copy],
    replaced: Mapping[str, str],
    demoted: Collection[str],
    expiry: Mapping[Key, Expiry],
    rejected: Collection[str],
    now: datetime,
) -> list[Row]:
    """Return the rows that change, whole.

    rows      present documents; those without a served content keep the state that reading gave them
    copies    every document that serves or could serve a body (one without words serves none)
    replaced  older body -> newer body; `demoted` names the older bodies that stay in the main table
    rejected  bodies that a person turned down
    """
    expired = {key for key, item in expiry.items() if item.at <= now}
    served = _serving(copies, expired)
    ends = _ends(copies, expiry)
    changed = []
    for row in rows:
        if row["body_hash"] in served:
            after = _settled(row, served, replaced, demoted, expiry, expired, rejected)
            after["body_expires_at"] = ends[row["body_hash"]]
        else:
            after = _wordless(row, rejected)
        if after != row:
            changed.append(after)
    return changed


def _serving(copies: Mapping[Key, Copy], expired: Collection[Key]) -> dict[str, Copy]:
    """Return body -> the document that serves it; a body expires with its last holder, so live holders go first."""
    alive = [copy for key, copy in copies.items() if key not in expired]
    chosen = {group.body_hash: group.representative for group in representatives(alive)}
    for group in representatives(copies.values()):
        chosen.setdefault(group.body_hash, group.representative)
    return chosen


def _ends(copies: Mapping[Key, Copy], expiry: Mapping[Key, Expiry]) -> dict[str, datetime | None]:
    """Return body -> when its last holder expires; None while one never does."""
    holders: dict[str, list[Key]] = {}
    for key, copy in copies.items():
        holders.setdefault(copy.body_hash, []).append(key)
    return {
        body: max(expiry[key].at for key in keys) if all(key in expiry for key in keys) else None
        for body, keys in holders.items()
    }


def _wordless(row: Row, rejected: Collection[str]) -> Row:
    """Nothing was ever read, or it holds no words (a mail that only carries attachments): it serves no body.

    What was left out because its content was forgotten stays so: nothing but its hash is known.
    """
    forgotten = row["state"] == "rejected" and row["body_hash"] is None
    state = "rejected" if forgotten or row["body_hash"] in rejected else "live"
    return {
        **row,
        "duplicate_of": None,
        "superseded_by": None,
        "expires_at": None,
        "expiry_evidence": None,
        "body_expires_at": None,
        "retired": False,
        "flags": [flag for flag in row["flags"] if flag != DEMOTED],
        "state": row["state"] if row["state"] in READING else state,
    }


def _settled(
    row: Row,
    served: Mapping[str, Copy],
    replaced: Mapping[str, str],
    demoted: Collection[str],
    expiry: Mapping[Key, Expiry],
    expired: Collection[Key],
    rejected: Collection[str],
) -> Row:
    key, body = (row["source"], row["path"]), row["body_hash"]
    server = served[body]
    own = expiry.get(key)
    newer = served.get(replaced.get(body, ""))
    is_copy = (server.source, server.path) != key
    flags = [flag for flag in row["flags"] if flag != DEMOTED] + ([DEMOTED] if newer and body in demoted else [])
    return {
        **row,
        "duplicate_of": f"{server.source}/{server.path}" if is_copy else None,
        "superseded_by": f"{newer.source}/{newer.path}" if newer else None,
        "expires_at": own.at if own else None,
        "expiry_evidence": own.evidence if own else None,
        "retired": (newer is not None and body not in demoted) or key in expired or body in rejected,
        "flags": flags,
        "state": _state(row, rejected=body in rejected, newer=newer, expired=key in expired, is_copy=is_copy),
    }


def _state(row: Row, *, rejected: bool, newer: Copy | None, expired: bool, is_copy: bool) -> str:
    """Return the first that holds, in the precedence of DESIGN section 3."""
    if row["state"] in READING:
        return str(row["state"])
    if rejected:
        return "rejected"
    if newer is not None:
        return "superseded"
    if expired:
        return "expired"
    return "duplicate" if is_copy else "live"
