"""Earlier mails quoted below a new one: kept searchable, but apart from the body."""

from __future__ import annotations

import dataclasses
import re

from pipelines.records import Block

_DIVIDER = re.compile(
    r"[-_=\s>*]*(original message|원본\s?메일|원본\s?메시지|forwarded message|전달된\s?메시지|전달된\s?메일|"
    r"begin forwarded message:?)[-_=\s>*]*",
    re.IGNORECASE,
)
_WROTE = re.compile(
    r">*\s*(on\s.{5,200}\swrote:|\d{4}년.{3,150}작성:|\d{4}[-./].{3,150}(작성:|wrote:|님이 쓴 글:?)"
    r"|.{3,150}님(이|께서) .{0,40}(작성|쓴 글).{0,10}:)",
    re.IGNORECASE | re.DOTALL,
)
_WRAPPED = re.compile(r">*\s*(on\s|\d{4}\s?[-./년])", re.IGNORECASE)
_FROM = re.compile(r"[>*\s]*(보낸\s?사람|보낸\s?이|발신자|발신인|from)[\s*]{0,20}:", re.IGNORECASE)
_FIELD = re.compile(
    r"[>*\s]*(보낸\s?날짜|보낸\s?시간|날짜|일시|받는\s?사람|받는\s?이|수신자?|참조|제목|sent|date|to|cc|subject)[\s*]{0,20}:",
    re.IGNORECASE,
)
_MAX_HEAD_CHARS = 300
# The fields of a quoted head stand within this many lines of its sender.
_HEAD_LINES = 5
# Outlook draws a line over the quoted head.
_RULE = re.compile(r"\s*[_-]{10,}\s*")
_HEAD_CELLS = 20
_FORWARD = re.compile(r"\s*(fwd?|전달)\s*:", re.IGNORECASE)


def is_forward(subject: str) -> bool:
    """Tell whether the mail was sent on: what it quotes is then its news."""
    return _FORWARD.match(subject) is not None


def split_history(text: str) -> tuple[str, list[str]]:
    """Return (the new text, quoted pieces in order) of a plain text mail.

    Where the lines below a quoted head are marked with ">", those are the history and answers between or below them
    are new; else everything from the head on is history.
    """
    lines = text.split("\n")
    fresh: list[str] = []
    quoted: list[str] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        if line.startswith(">"):
            quoted.append(line)
        elif not _begins(lines, number):
            fresh.append(line)
        else:
            below = _below_head(lines, number)
            if not (below < len(lines) and lines[below].startswith(">")):
                break
            quoted += lines[number:below]
            number = below
            continue
        number += 1
    pieces = [_unmarked(quoted), _unmarked(lines[number:])]
    return "\n".join(fresh), [piece for piece in pieces if piece.strip()]


def _below_head(lines: list[str], start: int) -> int:
    """Return the first line with words below a quoted head: what divides it, the wrapped rest of its line, fields."""
    at = start + 1
    if _WRAPPED.match(lines[start]) and not _is_wrote(lines[start].strip()):
        at += 1
    while at < len(lines) and (not lines[at].strip() or _FROM.match(lines[at]) or _FIELD.match(lines[at])):
        if lines[at].startswith(">"):
            break
        at += 1
    return at


def mark_history(blocks: list[Block]) -> list[Block]:
    """Take quoted mails out of the body; a paragraph is divided where one begins in it.

    Below a quoted head, what the mail program marked as the quote (it is outside already) is the history; else
    everything is.
    """
    marked: list[Block] = []
    for number, block in enumerate(blocks):
        start = _head_at(blocks, number) if block.in_body else None
        if start is None:
            marked.append(block)
            continue
        lines = block.text.split("\n")
        marked += [dataclasses.replace(block, text="\n".join(lines[:start]))] if start else []
        quoted = dataclasses.replace(block, text="\n".join(lines[start:])) if start else block
        marked.append(dataclasses.replace(quoted, in_body=False))
        if all(other.in_body for other in blocks[number + 1 : number + 2]):
            return [*marked, *(dataclasses.replace(other, in_body=False) for other in blocks[number + 1 :])]
    return marked


def _head_at(blocks: list[Block], number: int) -> int | None:
    """Return the line of a block at which a quoted head begins."""
    block = blocks[number]
    if block.kind not in ("paragraph", "heading", "table"):
        return None
    lines = _lines(block)
    following = [line for other in blocks[number + 1 : number + _HEAD_LINES] for line in _lines(other)[:_HEAD_LINES]]
    around = [*lines, *following]
    return next((at for at in range(1 if block.kind == "table" else len(lines)) if _begins(around, at)), None)


def _lines(block: Block) -> list[str]:
    """Return a block's lines; a row of a table is one, as some mail programs set the quoted head in a table."""
    if block.kind != "table":
        return block.text.split("\n")
    rows: dict[int, list[str]] = {}
    for cell in block.cells[:_HEAD_CELLS]:
        rows.setdefault(cell.row, []).extend(inner.text for inner in cell.blocks)
    return [" ".join(texts) for texts in rows.values()] or [""]


def _begins(lines: list[str], number: int) -> bool:
    line = lines[number]
    if _DIVIDER.fullmatch(line):
        return True
    # Mail programs wrap "On ... wrote:" over two lines; a line before it that isn't its beginning is the mail's own.
    wrapped = [" ".join(lines[number : number + 2]).strip()] if _WRAPPED.match(line) else []
    for head in (line.strip(), *wrapped):
        if _is_wrote(head):
            return True
    if _RULE.fullmatch(line) and number + 1 < len(lines):
        number += 1
    if not _FROM.match(lines[number]):
        return False
    return sum(bool(_FIELD.match(other)) for other in lines[number + 1 : number + 1 + _HEAD_LINES]) >= 2


def _is_wrote(head: str) -> bool:
    return len(head) <= _MAX_HEAD_CHARS and head.endswith((":", "글")) and _WROTE.fullmatch(head) is not None


def _unmarked(lines: list[str]) -> str:
    return "\n".join(re.sub(r"^(>\s?)+", "", line) for line in lines)
