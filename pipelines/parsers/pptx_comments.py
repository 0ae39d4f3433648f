"""Comments of a slide, replies after what they answer (ISO 29500-1, 19.4; MS-PPTX 2.10 and 2.11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipelines.parsers.ooxml_comments import said
from pipelines.parsers.ooxml_xml import child, children
from pipelines.parsers.pptx_text import paragraph_text
from pipelines.parsers.xml import local


def comments(root: Any, authors: Mapping[str, str]) -> list[str]:
    """Return what a part with comments says, "author: text" for each; `authors` are names by id."""
    threads: list[list[str]] = []
    thread_of: dict[str, list[str]] = {}
    for one in root.iter():
        name = local(one)
        if name not in ("cm", "reply"):
            continue
        # A newer file keeps replies inside their comment, an older one says what they answer.
        thread = thread_of.get(_answered(one)) if name == "cm" else threads[-1] if threads else None
        if thread is None:
            thread = []
            threads.append(thread)
        thread.append(said(authors.get(one.get("authorId", ""), ""), _words(one)))
        thread_of.setdefault(_key(one), thread)
    return [text for thread in threads for text in thread]


def _answered(comment: Any) -> str:
    links = child(comment, "extLst")
    link = next(links.iter("{*}parentCm"), None) if links is not None else None
    return _key(link) if link is not None else ""


def _key(comment: Any) -> str:
    """Return what names a comment in older files: its author's id and its number."""
    return f"{comment.get('authorId', '')} {comment.get('idx', '')}"


def _words(comment: Any) -> str:
    text = child(comment, "text")
    if text is not None:
        return text.text or ""
    body = child(comment, "txBody")
    return "\n".join(paragraph_text(one) for one in children(body, "p")) if body is not None else ""
