"""Markdown (CommonMark blocks and GFM tables), as far as words and structure go."""

from __future__ import annotations

import re
from typing import BinaryIO

from pipelines.errors import Empty
from pipelines.parsers.apart import Apart
from pipelines.parsers.front_matter import moment, split_front_matter
from pipelines.parsers.html_blocks import HtmlBlocks, parse_html
from pipelines.parsers.md_inline import label, plain
from pipelines.parsers.md_table import is_table, read_table
from pipelines.parsers.text import clean, decode
from pipelines.parsers.whole_file import read_whole
from pipelines.records import Block, Limits, Parsed

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?$")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)$")
_ITEM = re.compile(r"([ \t]*)(?:([-*+])|(\d{1,9})([.)]))[ \t]+(.*)$")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_QUOTE = re.compile(r"(?: {0,3}> ?)+")
_DEFINITION = re.compile(r" {0,3}\[(?!\^)([^\]]{1,200})\]:[ \t]*<?([^\s>]{1,2000})")
_ATTRIBUTES = re.compile(r"(?:^|(?<=\s))\{[:#.][^{}]{0,200}\}$")
_TABLE_TAG = re.compile(r" {0,3}<table\b", re.IGNORECASE)
_FOOTNOTE = re.compile(r" {0,3}\[\^([^\]]+)\]:[ \t]*(.*)$")
_TASK = re.compile(r"\[([ xX])\][ \t]+")
_CODE_OR_COMMENT = re.compile(
    r"(^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n.*?(?:^[ \t]*\2[`~]*[ \t]*$|\Z))|<!--.*?(?:-->|\Z)",
    re.DOTALL | re.MULTILINE,
)
_MODIFIED_KEYS = ("modified", "updated", "last_modified", "lastmod", "date")


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a Markdown file; raises Empty, Corrupt (encoding) or TooLarge."""
    text = clean(decode(read_whole(file, limits))[0].lstrip("\ufeff"))
    properties, body = split_front_matter(text)
    apart = Apart()
    body = _without_comments(body, apart)
    blocks = MarkdownBlocks(body).read()
    if not blocks:
        raise Empty("the file holds no text")
    key = next((key for key in _MODIFIED_KEYS if moment(properties.get(key, ""))), "")
    return Parsed(
        format="md",
        blocks=tuple(blocks),
        title=properties.get("title"),
        author=properties.get("author"),
        modified_at=moment(properties[key]) if key else None,
        created_at=moment(properties.get("created", "")),
        clock=f"md:{key}" if key else None,
        asides=dict(apart.counts),
        apart=apart.kept,
        properties=properties,
    )


def _without_comments(text: str, apart: Apart) -> str:
    """Take HTML comments out, but not those that stand in fenced code."""

    def judge(match: re.Match[str]) -> str:
        if match[1]:
            return match[1]
        apart.put("comment", match[0].removeprefix("<!--").removesuffix("-->"))
        return ""

    return _CODE_OR_COMMENT.sub(judge, text)


class MarkdownBlocks:
    """Reads lines once, from top to bottom."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._at = 0
        self._blocks: list[Block] = []
        self._paragraph: list[str] = []
        self._item: Block | None = None
        self._indents: list[int] = []
        self._targets = {
            label(found[1]): found[2] for line in self._lines if (found := _DEFINITION.match(_unquoted(line)))
        }

    def read(self) -> list[Block]:
        """Return the blocks in order."""
        while self._at < len(self._lines):
            line = _unquoted(self._lines[self._at].expandtabs(4))
            self._at += 1
            if not line.strip():
                self._end()
            elif not self._structure(line):
                self._paragraph.append(line.strip())
        self._end()
        return self._blocks

    def _structure(self, line: str) -> bool:
        """Take a line that begins or is a block of its own; False for a line of a paragraph."""
        fence = _FENCE.match(line)
        if fence and "`" not in fence[2]:
            self._code(fence[1])
            return True
        if self._heading(line):
            return True
        if _RULE.match(line):
            self._end()
            self._leave_list(line)
            return True
        if _DEFINITION.match(line) and not self._paragraph:
            return True
        return (
            self._footnote(line)
            or self._list_item(line)
            or self._indented(line)
            or self._table(line)
            or self._html_table(line)
        )

    def _heading(self, line: str) -> bool:
        atx = _ATX.match(line)
        if atx:
            self._end()
            self._indents.clear()
            text = _CLOSING_HASHES.sub("", _ATTRIBUTES.sub("", (atx[2] or "").strip()))
            if words := plain(text, self._targets):
                self._blocks.append(Block("heading", " ".join(words.split()), level=len(atx[1])))
            return True
        setext = _SETEXT.match(line)
        if setext and self._paragraph and self._item is None:
            words = plain(_ATTRIBUTES.sub("", " ".join(self._paragraph)), self._targets)
            self._paragraph.clear()
            self._blocks.append(Block("heading", words, level=1 if setext[1][0] == "=" else 2))
            return True
        return False

    def _code(self, fence: str) -> None:
        self._end()
        lines = []
        opening = self._lines[self._at - 1].expandtabs(4)
        quoted = _QUOTE.match(opening) is not None
        opening = _unquoted(opening)
        indent = len(opening) - len(opening.lstrip(" "))
        while self._at < len(self._lines):
            line = _unquoted(self._lines[self._at]) if quoted else self._lines[self._at]
            self._at += 1
            closing = _FENCE.match(line)
            if closing and closing[1].startswith(fence) and not closing[2].strip():
                break
            lines.append(line[indent:] if not line[:indent].strip() else line)
        if "".join(lines).strip():
            self._blocks.append(Block("code", "\n".join(lines).strip("\n")))

    def _footnote(self, line: str) -> bool:
        match = _FOOTNOTE.match(line)
        if match is None:
            return False
        self._end()
        self._indents.clear()
        self._item = Block("note", number=match[1], in_body=False)
        self._paragraph.append(match[2])
        return True

    def _list_item(self, line: str) -> bool:
        match = _ITEM.match(line)
        if match is None:
            return False
        # A number other than 1 goes on with a paragraph ("... in\n2026. It"), CommonMark 5.2.
        if self._paragraph and self._item is None and match[3] and match[3] != "1":
            return False
        indent = len(match[1])
        if indent >= 4 and not self._indents:
            return False
        self._end()
        while self._indents and self._indents[-1] > indent:
            self._indents.pop()
        if not self._indents or indent > self._indents[-1] + 1:
            self._indents.append(indent)
        number = f"{match[3]}{match[4]}" if match[3] else ""
        self._item = Block("item", level=len(self._indents), number=number)
        self._paragraph.append(_TASK.sub(lambda task: "☐ " if task[1] == " " else "☑ ", match[5], count=1))
        return True

    def _indented(self, line: str) -> bool:
        """Take indented code; within a list it is a paragraph of the entry."""
        if self._paragraph or self._indents or not line.startswith("    "):
            self._leave_list(line)
            return False
        lines = [line[4:]]
        while self._at < len(self._lines):
            following = self._lines[self._at].expandtabs(4)
            if following.strip() and not following.startswith("    "):
                break
            lines.append(following[4:])
            self._at += 1
        self._blocks.append(Block("code", "\n".join(lines).strip("\n")))
        return True

    def _table(self, line: str) -> bool:
        following = self._lines[self._at] if self._at < len(self._lines) else ""
        if self._paragraph or not is_table(line, _unquoted(following)):
            return False
        rows = [line]
        self._at += 1
        while self._at < len(self._lines) and "|" in self._lines[self._at]:
            rows.append(_unquoted(self._lines[self._at]))
            self._at += 1
        self._blocks.append(read_table(rows, self._targets))
        return True

    def _html_table(self, line: str) -> bool:
        """Take a table written in HTML up to its end tag; Markdown has no merged cells."""
        if self._paragraph or not _TABLE_TAG.match(line):
            return False
        rows, opened = [line], 0
        while (opened := opened + _tables(rows[-1])) > 0 and self._at < len(self._lines):
            rows.append(self._lines[self._at])
            self._at += 1
        root = parse_html("\n".join(rows))
        if root is not None:
            walker = HtmlBlocks()
            walker.walk(root)
            self._blocks += walker.finish()
        return True

    def _leave_list(self, line: str) -> None:
        if not self._paragraph and self._indents and not line.startswith(" "):
            self._indents.clear()

    def _end(self) -> None:
        """End the open paragraph or entry."""
        lines = "\n".join(line.rstrip("\\").strip() for line in self._paragraph)
        text = plain(lines, self._targets) if self._paragraph else ""
        self._paragraph.clear()
        block, self._item = self._item, None
        if text:
            kind = block or Block("paragraph")
            self._blocks.append(Block(kind.kind, text, level=kind.level, number=kind.number, in_body=kind.in_body))


def _tables(line: str) -> int:
    """Return how many more HTML tables a line opens than it closes."""
    lower = line.lower()
    return lower.count("<table") - lower.count("</table")


def _unquoted(line: str) -> str:
    match = _QUOTE.match(line)
    return line[match.end() :] if match else line
