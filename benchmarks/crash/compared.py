"""What a night left beside what the events ask for, in words."""

from __future__ import annotations

from typing import Any


def differing(expected: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Name what differs, places and kinds only."""
    wrong = []
    for name, wanted in expected.items():
        got = found[name]
        if wanted == got:
            continue
        if isinstance(wanted, dict):
            keys = sorted(key for key in {*wanted, *got} if wanted.get(key) != got.get(key))
            shown = [f"{key} {_short(wanted.get(key))} -> {_short(got.get(key))}" for key in keys[:4]]
            wrong.append(f"{name}: {len(keys)} differ: {', '.join(shown)}")
        elif isinstance(wanted, list):
            lacking = [one for one in wanted if one not in got]
            extra = [one for one in got if one not in wanted]
            wrong.append(f"{name}: lacks {lacking[:4]}, has {extra[:4]} too many")
        else:
            wrong.append(f"{name}: {wanted} -> {got}")
    return wrong


def _short(value: object) -> str:
    return str(value)[:40]
