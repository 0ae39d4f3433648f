"""HTML in Markdown (CommonMark 4.6, 6.6): where a block of it ends, and comments and scripts between words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

from pipelines.parsers.apart import Apart
from pipelines.parsers.html_blocks import HtmlBlocks, parse_html
from pipelines.parsers.html_hidden import HiddenRules
from pipelines.parsers.md_inline import following_ticks
from pipelines.records import Block

_RAW = re.compile(r" {0,3}<(script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_BLOCK = re.compile(
    r" {0,3}</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir"
    r"|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link"
    r"|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead"
    r"|title|tr|track|ul)(?=\s|/?>|$)",
    re.IGNORECASE,
)
_TABLE = re.compile(r" {0,3}<table\b", re.IGNORECASE)
# Elements that an end tag closes; in a browser they hide what stands in them, blank lines or not.
_HIDING = re.compile(
    r" {0,3}(<(address|article|aside|blockquote|center|details|dialog|div|dl|fieldset|figure|footer|form|header|main"
    r"|ol|section|ul)(?=[\s>])[^<>]{0,2000}>)",
    re.IGNORECASE,
)
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_BETWEEN = re.compile(r"\\\\|\\<|`+|<!--|<(script|style)(?=[\s>])", re.IGNORECASE)
_ENDS = re.compile(r"-->|</(script|style)\s*>", re.IGNORECASE)


def begins_html(line: str) -> bool:
    """Tell whether a line begins a block of HTML, an end tag included."""
    return "<" in line and bool(_BLOCK.match(line) or _RAW.match(line))


def html_rows(line: str, following: Iterable[str]) -> list[str]:
    """Return the lines of the block that `line` begins; a blank line ends it, but no table.

    A heading ends it too: who leaves out the blank line before one means no HTML.
    """
    raw, hiding = _RAW.match(line), _HIDING.match(line)
    if raw:
        return _until(re.compile(rf"</{raw[1]}\s*>", re.IGNORECASE), line, following)
    if hiding and _hides(hiding[1], hiding[2].lower()):
        return _balanced(hiding[2], line, following)
    if _TABLE.match(line):
        return _balanced("table", line, following)
    rows, opened = [line], _opened("table", line)
    for row in following:
        if opened <= 0 and (not row.strip() or _HEADING.match(row)):
            break
        rows.append(row)
        opened += _opened("table", row)
    return rows


def html_blocks(rows: list[str], apart: Apart) -> list[Block]:
    """Return what a reader sees of a block of HTML."""
    root = parse_html(without_comments("\n".join(rows), apart, code=False))
    if root is None:
        return []
    walker = HtmlBlocks()
    walker.walk(root)
    blocks = walker.finish()
    apart.take(walker.apart)
    return blocks


def without_comments(text: str, apart: Apart, *, code: bool = True) -> str:
    """Take out comments, scripts and style sheets that end in `text`; with `code`, none begins in a code span."""
    if "<" not in text:
        return text
    ends: dict[str, list[tuple[int, int]]] = {}
    for end in _ENDS.finditer(text):
        ends.setdefault((end[1] or "").lower(), []).append(end.span())
    ticks = following_ticks(text) if code else {}
    out: list[str] = []
    at = passed = 0
    for match in _BETWEEN.finditer(text):
        if match.start() < passed:
            continue
        if match[0][0] != "<":
            passed = ticks.get(match.start(), match.end())
            continue
        # "<!-->" is a whole comment.
        first = match.start() + 2 if match[0] == "<!--" else match.end()
        ahead = ends.get((match[1] or "").lower(), [])
        found = bisect_left(ahead, (first, 0))
        if found == len(ahead):
            continue
        if match[0] == "<!--":
            apart.put("comment", text[match.end() : ahead[found][0]])
        out.append(text[at : match.start()])
        at = passed = ahead[found][1]
    return "".join(out) + text[at:]


def _until(end: re.Pattern[str], line: str, following: Iterable[str]) -> list[str]:
    rows = [line]
    if not end.search(line):
        for row in following:
            rows.append(row)
            if end.search(row):
                break
    return rows


def _balanced(name: str, line: str, following: Iterable[str]) -> list[str]:
    """Return the lines up to the end tag of the element that `line` begins, to the last line without one."""
    rows, opened = [line], _opened(name, line)
    if opened > 0:
        for row in following:
            rows.append(row)
            opened += _opened(name, row)
            if opened <= 0:
                break
    return rows


def _opened(name: str, line: str) -> int:
    """Return how many more elements of a name a line opens than it closes."""
    tags = re.findall(rf"<(/?){name}(?=[\s/>]|$)", line, re.IGNORECASE) if "<" in line else []
    return len(tags) - 2 * tags.count("/")


def _hides(tag: str, name: str) -> bool:
    root = parse_html(tag)
    element = next(root.iter(name), None) if root is not None else None
    return element is not None and HiddenRules(element).hides(element, name)
