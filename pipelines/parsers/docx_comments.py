"""Comments of a Word file in the order of a discussion.

Which comment answers which stands in a part of its own ([MS-DOCX], commentsEx): it names comments by their last
paragraph, and Word lets replies answer the first comment only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipelines.parsers.ooxml_comments import said
from pipelines.parsers.ooxml_xml import attribute, children, link_of


def discussions(comments: Any, extended: Any, words: Callable[[Any], str]) -> list[str]:
    """Return "author: words" of each comment, replies after what they answer; `extended` is None without replies."""
    answered = _answered(extended)
    threads: dict[object, list[tuple[bool, str]]] = {}
    for at, comment in enumerate(children(comments, "comment")):
        text = words(comment)
        if text:
            own = next((link_of(last, "paraId") for last in reversed(list(children(comment, "p")))), "")
            one = (own in answered, said(" ".join(attribute(comment, "author").split()), text))
            threads.setdefault(answered.get(own) or own or at, []).append(one)
    return [text for thread in threads.values() for _, text in sorted(thread, key=lambda one: one[0])]


def _answered(extended: Any) -> dict[str, str]:
    """Return the id of each reply's last paragraph -> that of the comment it answers."""
    found = {}
    for one in children(extended, "commentEx") if extended is not None else ():
        parent = attribute(one, "paraIdParent")
        if parent:
            found[attribute(one, "paraId")] = parent
    return found
