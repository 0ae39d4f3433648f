"""Which version of a mail (multipart/alternative, RFC 2046, 5.1.4) a person would miss least of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from pipelines.parsers.html_blocks import HtmlBlocks, parse_html
from pipelines.records import Block

# Plain text that a program made of a page lacks labels of buttons and the like; a stub has hardly any of its words.
_SAME = 0.8
# A page this much poorer than a plain text longer than any stub is the stub itself ("see the text version").
_POORER, _STUB_WORDS = 2, 30
# Plain versions spell the addresses out that a page hides behind words.
_ADDRESS = re.compile(r"https?://\S+")
_WORD = re.compile(r"\w+")

# What one text of a version says: ("plain", "html" or "calendar", text).
Text = tuple[str, str]


class Versions:
    """Chooses; keeps the words of each text, as versions stand in versions."""

    def __init__(self) -> None:
        self._words: dict[Text, Counter[str]] = {}

    def preferred(self, versions: list[list[Text]]) -> list[Text]:
        """Return the plain version when it holds most of what the richest other one shows, else that one."""
        if len(versions) < 2:
            return versions[0] if versions else []
        told = [(texts, self._told(texts)) for texts in versions]
        plain = next((version for version in told if version[1] and version[0][0][0] == "plain"), None)
        page = next((version for version in reversed(told) if version[1] and version[0][0][0] != "plain"), None)
        if plain is None or page is None:
            return (plain or page or told[-1])[0]
        held, shown, said = (plain[1] & page[1]).total(), page[1].total(), plain[1].total()
        return plain[0] if held >= _SAME * shown or said > max(_STUB_WORDS, _POORER * shown) else page[0]

    def _told(self, texts: list[Text]) -> Counter[str]:
        told: Counter[str] = Counter()
        for text in texts:
            if text not in self._words:
                self._words[text] = Counter(_WORD.findall(_ADDRESS.sub(" ", _visible(text))))
            told += self._words[text]
        return told


def _visible(text: Text) -> str:
    if text[0] != "html":
        return text[1]
    root = parse_html(text[1])
    if root is None:
        return ""
    walker = HtmlBlocks()
    walker.walk(root)
    return " ".join(_lines(walker.finish()))


def _lines(blocks: list[Block]) -> Iterator[str]:
    """Yield the text of blocks and of the cells of tables, which nest as deep as the page reader lets them."""
    for block in blocks:
        yield block.text
        for cell in block.cells:
            yield from _lines(list(cell.blocks))
