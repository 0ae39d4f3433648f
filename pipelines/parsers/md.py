"""Markdown (CommonMark blocks and GFM tables), as far as words and structure go."""

from __future__ import annotations

import re
from typing import BinaryIO

from pipelines.errors import Empty
from pipelines.parsers.apart import Apart
from pipelines.parsers.front_matter import moment, split_front_matter
from pipelines.parsers.md_html import begins_html, html_blocks, html_rows, without_comments
from pipelines.parsers.md_inline import images, label, plain
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
_COMMENT = re.compile(r"( *)<!--")
_FOOTNOTE = re.compile(r" {0,3}\[\^([^\]]+)\]:[ \t]*(.*)$")
_TASK = re.compile(r"\[([ xX])\][ \t]+")
_MODIFIED_KEYS = ("modified", "updated", "last_modified", "lastmod", "date")


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a Markdown file; raises Empty, Corrupt (encoding) or TooLarge."""
    text = clean(decode(read_whole(file, limits))[0].lstrip("\ufeff"))
    properties, body = split_front_matter(text)
    apart = Apart()
    blocks = MarkdownBlocks(body, apart).read()
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


class MarkdownBlocks:
    """Reads lines once, from top to bottom; comments go to `apart`."""

    def __init__(self, text: str, apart: Apart) -> None:
        self._lines = text.split("\n")
        self._apart = apart
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
            self._comment(line)
            or self._footnote(line)
            or self._list_item(line)
            or self._indented(line)
            or self._table(line)
            or self._html(line)
        )

    def _heading(self, line: str) -> bool:
        atx = _ATX.match(line)
        if atx:
            self._end()
            self._indents.clear()
            text = _CLOSING_HASHES.sub("", _ATTRIBUTES.sub("", (atx[2] or "").strip()))
            if words := self._words(text):
                self._blocks.append(Block("heading", " ".join(words.split()), level=len(atx[1])))
            return True
        setext = _SETEXT.match(line)
        if setext and self._paragraph and self._item is None:
            words = self._words(_ATTRIBUTES.sub("", " ".join(self._paragraph)))
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
        """Take a table; its divider makes one of a line below others, and the next block ends it."""
        following = self._lines[self._at] if self._at < len(self._lines) else ""
        if not is_table(line, _unquoted(following)):
            return False
        self._end()
        quoted = self._is_quoted(self._at - 1)
        rows = [line]
        self._at += 1
        while self._at < len(self._lines) and self._is_quoted(self._at) == quoted:
            row = _unquoted(self._lines[self._at])
            if "|" not in row or _begins_block(row):
                break
            rows.append(row)
            self._at += 1
        rows = [without_comments(row, self._apart) for row in rows]
        self._apart.count("image", sum(map(images, rows)))
        self._blocks.append(read_table(rows, self._targets))
        return True

    def _html(self, line: str) -> bool:
        """Take a block of HTML: what it hides, and tables with merged cells, which Markdown doesn't have."""
        if not begins_html(line):
            return False
        self._end()
        quoted = self._is_quoted(self._at - 1)
        following = (self._lines[at] for at in range(self._at, len(self._lines)))
        rows = html_rows(line, map(_unquoted, following) if quoted else following)
        self._at += len(rows) - 1
        self._blocks += html_blocks(rows, self._apart)
        return True

    def _comment(self, line: str) -> bool:
        """Take a comment that begins a line, without an end up to the last one (CommonMark 4.6, HTML block 2)."""
        match = _COMMENT.match(line)
        if match is None or (len(match[1]) > 3 and not self._indents):
            return False
        self._end()
        # "<!-->" is a whole comment.
        begin, end, rows = match.end(), line.find("-->", match.end() - 2), []
        while end < 0 and self._at < len(self._lines):
            rows.append(line[begin:])
            line, begin = _unquoted(self._lines[self._at]), 0
            self._at += 1
            end = line.find("-->")
        self._apart.put("comment", "\n".join([*rows, line[begin:end] if end >= 0 else line[begin:]]))
        rest = without_comments(line[end + 3 :], self._apart) if end >= 0 else ""
        if rest.strip():
            self._at -= 1
            self._lines[self._at] = rest.strip()
        return True

    def _is_quoted(self, at: int) -> bool:
        return _QUOTE.match(self._lines[at]) is not None

    def _leave_list(self, line: str) -> None:
        if not self._paragraph and self._indents and not line.startswith(" "):
            self._indents.clear()

    def _words(self, text: str) -> str:
        shown = without_comments(text, self._apart)
        self._apart.count("image", images(shown))
        return plain(shown, self._targets)

    def _end(self) -> None:
        """End the open paragraph or entry."""
        lines = [*map(_without_break, self._paragraph[:-1]), *self._paragraph[-1:]]
        text = self._words("\n".join(lines)) if lines else ""
        self._paragraph.clear()
        block, self._item = self._item, None
        if text:
            kind = block or Block("paragraph")
            self._blocks.append(Block(kind.kind, text, level=kind.level, number=kind.number, in_body=kind.in_body))


def _without_break(line: str) -> str:
    """Take the backslash off that breaks the line; of two, the first one escapes the second (CommonMark 6.7)."""
    count = len(line) - len(line.rstrip("\\"))
    return line[:-1].strip() if count % 2 else line


def _begins_block(line: str) -> bool:
    """Tell whether a line begins something that ends a table (GFM 4.10)."""
    begins = (_FENCE, _ATX, _RULE, _ITEM, _FOOTNOTE, _COMMENT)
    return any(pattern.match(line) for pattern in begins) or begins_html(line)


def _unquoted(line: str) -> str:
    match = _QUOTE.match(line)
    return line[match.end() :] if match else line
