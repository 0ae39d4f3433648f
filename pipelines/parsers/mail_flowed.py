"""Text whose lines were broken or armoured for the way (RFC 3676 format=flowed, RFC 4880 cleartext signatures)."""

from __future__ import annotations

import re

from pipelines.errors import Encrypted

_QUOTES = re.compile(r">*")
# A signature's own line keeps its space and ends a paragraph (RFC 3676, 4.3).
_SIGNATURE = "-- "
_SIGNED = re.compile(
    r"\A\s*-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Za-z]+: [^\n]*\n)*\n(.*?)"
    r"(?:^-----BEGIN PGP SIGNATURE-----.*?(?:^-----END PGP SIGNATURE-----[ \t]*\n?|\Z)|\Z)",
    re.DOTALL | re.MULTILINE,
)


def unflow(text: str, *, delsp: bool) -> str:
    """Join the lines that were broken on the way: those that end in a space, within one depth of quotes.

    delsp  the space itself was added too (the parameter of that name, for scripts without spaces)
    """
    out: list[list[str]] = []
    open_depth: int | None = None
    for line in text.split("\n"):
        marks = _QUOTES.match(line)
        depth = len(marks[0]) if marks else 0
        words = line[depth:].removeprefix(" ")
        flows = words.endswith(" ") and words != _SIGNATURE
        if open_depth != depth or words == _SIGNATURE:
            out.append([f"{'>' * depth} " if depth else ""])
        out[-1].append(words[:-1] if flows and delsp else words)
        open_depth = depth if flows else None
    return "\n".join("".join(pieces) for pieces in out)


def unarmoured(text: str) -> str:
    """Take off the armour of a signed text; raises Encrypted for a text that is an encrypted message."""
    if text.lstrip().startswith("-----BEGIN PGP MESSAGE-----"):
        raise Encrypted("the mail is encrypted (PGP)")
    match = _SIGNED.match(text)
    if match is None:
        return text
    return re.sub(r"^- (?=-)", "", match[1], flags=re.MULTILINE) + text[match.end() :]
