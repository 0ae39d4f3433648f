"""DrawingML text bodies (ISO 29500-1 section 21.1.2) to paragraphs and list items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipelines.parsers.bullet import without_bullet
from pipelines.parsers.ooxml_math import math_text
from pipelines.parsers.ooxml_package import with_target
from pipelines.parsers.ooxml_xml import child, children, chosen, link_of
from pipelines.parsers.pptx_bullets import Bullets
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local
from pipelines.records import Block, Locator

# Fields that every slide repeats.
_FURNITURE = ("slidenum", "datetime")
# Sizes are in hundredths of a point; a run that names none is this large (ISO 29500-1, 21.1.2.3.9 leaves it to the
# application; PowerPoint's own default).
_DEFAULT_SIZE = 1800


def paragraph_text(paragraph: Any, links: Mapping[str, str] | None = None) -> str:
    """Return the words of an `a:p`; slide numbers and dates that fill themselves in are left out.

    `links` are the web addresses of the part by relationship id: a link's address stands behind its words.
    """
    words: list[str] = []
    _collect(paragraph, words, links or {})
    return clean("".join(words)).strip()


def text_blocks(
    body: Any, locator: Locator, styles: Sequence[Any] = (), links: Mapping[str, str] | None = None
) -> list[Block]:
    """Return the paragraphs of a text body; `styles` are the list styles that rule it, nearest first."""
    found: list[Block] = []
    bullets = Bullets(styles)
    for paragraph in children(body, "p") if body is not None else ():
        text = paragraph_text(paragraph, links)
        if not text:
            continue
        properties = child(paragraph, "pPr")
        level = _level(properties)
        number, listed = bullets.next(properties, level)
        plain = without_bullet(text)
        if listed or plain is not None:
            found.append(Block("item", plain or text, level=level + 1, number=number, locator=locator))
        else:
            found.append(Block("paragraph", text, locator=locator))
    return found


def text_size(body: Any) -> int:
    """Return the largest size that a run of the body names, in hundredths of a point; PowerPoint's own without one."""
    sizes = []
    for run in body.iter() if body is not None else ():
        if local(run) == "r" and (paragraph_text(run)):
            size = (child(run, "rPr").get("sz", "") if child(run, "rPr") is not None else "") or str(_DEFAULT_SIZE)
            sizes.append(int(size) if size.isdecimal() and len(size) < 7 else _DEFAULT_SIZE)
    return max(sizes, default=0)


def _collect(element: Any, words: list[str], links: Mapping[str, str]) -> None:
    for inner in element:
        name = local(inner)
        if name == "t":
            words.append(inner.text or "")
        elif name == "br":
            words.append("\n")
        elif name == "fld" and inner.get("type", "").startswith(_FURNITURE):
            continue
        elif name == "AlternateContent":
            branch = chosen(inner)
            if branch is not None:
                _collect(branch, words, links)
        elif name in ("oMath", "oMathPara"):
            words.append(math_text(inner))
        elif name == "r":
            _collect_run(inner, words, links)
        elif name and not name.endswith("Pr"):
            _collect(inner, words, links)


def _collect_run(run: Any, words: list[str], links: Mapping[str, str]) -> None:
    inside: list[str] = []
    for inner in run:
        name = local(inner)
        if name == "t":
            inside.append(inner.text or "")
        elif name and not name.endswith("Pr"):
            _collect(inner, inside, links)
    link = child(run, "rPr", "hlinkClick")
    target = links.get(link_of(link), "") if link is not None and links else ""
    last = _next_target(run, links) != target
    words.append(with_target("".join(inside), target) if target and last else "".join(inside))


def _next_target(run: Any, links: Mapping[str, str]) -> str:
    """Return where the run after this one leads: a link may be cut into runs of other looks."""
    after = run.getnext()
    link = child(after, "rPr", "hlinkClick") if after is not None else None
    return links.get(link_of(link), "") if link is not None else ""


def _level(properties: Any) -> int:
    try:
        return min(max(int(properties.get("lvl", "0")), 0), 8) if properties is not None else 0
    except ValueError:
        return 0
