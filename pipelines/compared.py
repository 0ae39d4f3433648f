"""What of a document its comparison with others uses: one text a body, and what stands beside the body."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# What a copy of the same body may have and another lack. A memo is what Hangul calls a comment.
_EXTRAS = {
    "signature": ("signature",),
    "comment": ("comment", "memo"),
    "tracked_change": ("tracked_change",),
    "image": ("image",),
}
EXTRAS = tuple(_EXTRAS)


@dataclass(frozen=True, slots=True, order=True)
class Content:
    """One content of a body, in the order of preference.

    A PDF's spaces are guessed from the distances of its letters, so it stands in only where nothing else does; the
    hashes make the choice the same whatever came first.
    """

    guessed_spaces: bool
    content_hash: str
    parser_version: str


def content_of(file_format: str, content_hash: str, parser_version: str = "") -> Content:
    """Return the record of a content; `file_format` is the parser's word."""
    return Content(file_format == "pdf", content_hash, parser_version)


def chosen(contents: Iterable[tuple[str, Content]]) -> dict[str, Content]:
    """Return body hash -> the content by which the body is compared; `contents` are (body hash, content)."""
    found: dict[str, Content] = {}
    for body, content in contents:
        if body not in found or content < found[body]:
            found[body] = content
    return found


def extras(asides: Mapping[str, int]) -> dict[str, int]:
    """Return how many signatures, comments, tracked changes and images a document has beside its words."""
    counts = {name: sum(asides.get(kind, 0) for kind in kinds) for name, kinds in _EXTRAS.items()}
    return {name: count for name, count in counts.items() if count}
