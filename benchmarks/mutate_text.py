"""Damage to text: mails, pages, sheets of commas. Lines, tags and numbers move; encodings are mixed."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from mutate_bytes import EDGES, mutated_bytes

_TAG = re.compile(rb"<[^<>]{0,300}>")
_NUMBER = re.compile(rb"\d+")
_CHARSET = re.compile(rb"(?i)(charset\s*=\s*\"?|=\?)([\w-]+)")
_BOUNDARY = re.compile(rb"(?i)boundary\s*=\s*\"?([^\s\";]+)")
_CHARSETS = (
    b"utf-8", b"euc-kr", b"cp949", b"ks_c_5601-1987", b"utf-16", b"utf-7", b"iso-2022-kr", b"johab", b"base64", b"idna",
    b"x-none", b"",
)  # fmt: skip
_TRANSFERS = (b"base64", b"quoted-printable", b"8bit", b"x-uuencode", b"binary", b"none")
_MARKS = (
    b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff", b"\0", b"\x85", b"\r", b"\x0b\x0c", b"\x1a",
    b"\xed\xa0\x80", b"\xf4\x90\x80\x80", "한글".encode("cp949"), "한글".encode("utf-16-le"),
    "\u1112\u1161\u11ab".encode(), b"&#0;", b"&#xD800;", b"&#1114112;", b"&lt", b"]]>", b"<!--", b"<![CDATA[",
    b"```", b"---\n", b"|", b'"', b",", b"\t",
)  # fmt: skip
_KINDS = (
    b"multipart/mixed",
    b"multipart/alternative",
    b"message/rfc822",
    b"text/html",
    b"text/plain",
    b"application/x",
)

Mutation = Callable[[bytes, Random], bytes]


def mutated_text(data: bytes, dice: Random) -> bytes:
    """Return the text after one to four mutations."""
    for _ in range(dice.choice((1, 1, 2, 4))):
        data = dice.choice(MUTATIONS)(data, dice)
    return data


def _lines(data: bytes, dice: Random) -> bytes:
    """Drop, repeat, swap, join or fold lines."""
    lines = data.split(b"\n")
    for _ in range(dice.choice((1, 2, 5))):
        at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
        act = dice.randrange(5)
        if act == 0 and len(lines) > 1:
            del lines[at]
        elif act == 1:
            lines[at:at] = lines[at : at + dice.choice((1, 5))] * dice.choice((1, 1, 40))
        elif act == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif act == 3:
            lines[at] = dice.choice((b" ", b"\t", b"> ", b"  - ", b"    ", b"| ")) * dice.choice((1, 1, 60)) + lines[at]
        else:
            lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)] + lines[other]
    return b"\n".join(lines)


def _tags(data: bytes, dice: Random) -> bytes:
    """Drop, repeat, swap or nest tags as they are written."""
    tags = list(_TAG.finditer(data))[:20_000]
    if not tags:
        return _marks(data, dice)
    one, other = dice.choice(tags), dice.choice(tags)
    new = dice.choice(
        (b"", one[0] * dice.choice((2, 50, 3000)), other[0], one[0][: len(one[0]) // 2], b"</" + one[0][1:])
    )
    return data[: one.start()] + new + data[one.end() :]


def _numbers(data: bytes, dice: Random) -> bytes:
    numbers = list(_NUMBER.finditer(data))[:20_000]
    if not numbers:
        return _marks(data, dice)
    one = dice.choice(numbers)
    edge = dice.choice([str(edge) for edge in EDGES] + ["9" * 400, "1e999"]).encode()
    return data[: one.start()] + edge + data[one.end() :]


def _marks(data: bytes, dice: Random) -> bytes:
    """Put marks of other encodings, and of markup, where they mean something else."""
    for _ in range(dice.choice((1, 3))):
        at = dice.choice((0, dice.randrange(len(data) + 1)))
        data = data[:at] + dice.choice(_MARKS) * dice.choice((1, 1, 200)) + data[at:]
    return data


def _recoded(data: bytes, dice: Random) -> bytes:
    """Write a part of the text, or all, in another encoding."""
    text = data.decode("utf-8", "ignore")
    at = dice.choice((0, dice.randrange(len(text) + 1)))
    encoding = dice.choice(("cp949", "utf-16", "utf-16-le", "utf-32", "utf-7", "johab", "iso2022_kr", "utf-8-sig"))
    return text[:at].encode("utf-8") + text[at:].encode(encoding, "ignore")


def _mail_words(data: bytes, dice: Random) -> bytes:
    """Change what a mail says of its parts: character set, transfer encoding, boundary, kind."""
    act = dice.randrange(4)
    if act == 0 and (found := list(_CHARSET.finditer(data))):
        one = dice.choice(found)
        return data[: one.start(2)] + dice.choice(_CHARSETS) + data[one.end(2) :]
    if act == 1:
        name = dice.choice(_TRANSFERS)
        return re.sub(rb"(?i)(content-transfer-encoding:\s*)[\w-]+", rb"\g<1>" + name, data, count=dice.choice((1, 0)))
    if act == 2 and (found := list(_BOUNDARY.finditer(data))):
        one = dice.choice(found)
        return data.replace(one[1], dice.choice((b"", one[1] + b"x", one[1][:1], b"--")), dice.choice((1, 2, 9)))
    return re.sub(rb"(?i)(content-type:\s*)[\w/-]+", rb"\g<1>" + dice.choice(_KINDS), data, count=dice.choice((1, 2)))


MUTATIONS: tuple[Mutation, ...] = (mutated_bytes, _lines, _lines, _tags, _numbers, _marks, _recoded, _mail_words)
