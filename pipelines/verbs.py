"""English verbs that state what adjectives do too: doesn't support, requires, allows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.quantities import Found

_STATES = {
    "support": ("use", "on", "off"),
    "require": ("need", "required", "optional"),
    "need": ("need", "required", "optional"),
    "allow": ("can", "allowed", "forbidden"),
    "permit": ("can", "allowed", "forbidden"),
    "include": ("inclusion", "in", "out"),
    "exclude": ("inclusion", "out", "in"),
    "cover": ("inclusion", "in", "out"),
    "accept": ("decision", "approved", "rejected"),
    "reject": ("decision", "rejected", "approved"),
    "refuse": ("decision", "rejected", "approved"),
    "decline": ("decision", "rejected", "approved"),
    "enable": ("use", "on", "off"),
    "disable": ("use", "off", "on"),
    "forbid": ("can", "forbidden", "allowed"),
    "prohibit": ("can", "forbidden", "allowed"),
    "ban": ("can", "forbidden", "allowed"),
    "block": ("can", "forbidden", "allowed"),
    "mandate": ("need", "required", "optional"),
}
_VERB = re.compile(
    rf"\b(?P<denied>(?:does|do|did|will|can)(?:\snot|n't)\s|no\slonger\s|cannot\s)?(?:(?:also|only|always|still)\s)?"
    rf"(?P<verb>{'|'.join(_STATES)})s?\b(?!-)",
    re.IGNORECASE,
)
# "support" alone is a noun often, and so is "need".
_VERBAL = re.compile(r"[a-z\d)]\s(?:also\s|only\s|always\s|still\s)?$", re.IGNORECASE)


def verbs(clause: str) -> Iterator[Found]:
    """Yield what the first such verb of a clause states, from the verb itself on."""
    for m in _VERB.finditer(clause):
        inflected = m["denied"] or clause[m.end() - 1] == "s"
        if not inflected or not _VERBAL.search(clause, 0, m.start("denied") if m["denied"] else m.start("verb")):
            continue
        name, said, denied = _STATES[m["verb"].lower()]
        yield Found(f"state:{name}", denied if m["denied"] else said, m.start("verb"), m.end())
        return
