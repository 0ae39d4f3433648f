"""Whether a word goes on over a line's end: Korean breaks lines anywhere, and a PDF often drops the space there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pipelines.parsers.pdf_glyphs import is_hangul
from pipelines.parsers.pdf_lines import WRAP_WIDTH, Line

# Word and Hancom keep the space at a line's end. Breaking anywhere, Korean meets one about every fourth time.
_SPACED_SHARE = 0.1
# Particles are never words of their own.
_PARTICLES = re.compile(
    "(?:을|를|은|는|의|에(?:서|게)?(?:[는도만의])?|으?로(?:서|써|는|도|의|부터)?|까지(?:의|는)?|부터|이?라[는고]|이란|이며|이고|이나|이다|입니다"
    "|들(?:[은이을의]|에게|로)?|적(?:인|으로|이고))"
)
# Forms of 하다, 되다 and 시키다 make a verb of the noun before them.
_VERB = re.compile(
    "(?:한다|합니다|하여|하며|하고|하는|하기|하지|하게|하였|하면|하도록|했|할|함|된다|됩니다|되어|되며|되고|되는|되기|되지|되면|되었|됐"
    "|된|될|됨|시키|시킨|시켜)"
)
# Words before 하다 and 되다 that are no such noun: ended by a particle, an ending or an adverb's syllable.
_NO_NOUN = frozenset("야을를도만은는게지로록과와이가에서고며나든려러기자면씩히라께두시상주안못잘더다음할될한된")
_CONNECTIVES = frozenset(("또한", "다만", "그러나", "그리고", "따라서", "한편"))
# What a colon follows is a label: "을:" names a party.
_LABEL = re.compile(r"[^\w]*\w+\s?[:\uff1a]")
_HEAD = re.compile(r"^[^\w]*(\w+)")
_TAIL = re.compile(r"(\w+)$")
_WORDS = re.compile(r"\w+")
_COMPOUNDS = re.compile(r"\w+(?:-\w+)+")


class LineEnds:
    """What the whole document says about its line ends: its words, and whether spaces stand at the ends of lines."""

    def __init__(self, lines: Iterable[Line]) -> None:
        lines = list(lines)
        wide = [line for line in lines if line.right - line.left >= WRAP_WIDTH * line.size]
        self._spaces_kept = bool(wide) and sum(line.spaced for line in wide) > _SPACED_SHARE * len(wide)
        self._words: set[str] = set()
        self._pairs: set[tuple[str, str]] = set()
        self._compounds: set[tuple[str, str]] = set()
        for line in lines:
            words = _WORDS.findall(line.text)
            self._words.update(words)
            self._pairs.update(pairwise(words))
            for compound in _COMPOUNDS.findall(line.text):
                self._compounds.update(pairwise(compound.split("-")))
        self._broken = _broken_twice(lines)

    def glue(self, before: Line, line: Line) -> str:
        """Return what stands between two lines of one paragraph: "" inside a word, else a space."""
        tail, head = _TAIL.search(before.text), _HEAD.match(line.text)
        if before.hyphenated:
            return self._hyphen(tail.group(1), head.group(1)) if tail and head else ""
        if before.spaced or not tail or not head or not line.text[0].isalnum():
            return " "
        left, right = tail.group(1), head.group(1)
        if not is_hangul(left[-1]) and not is_hangul(right[0]):
            return "" if left[-1].isdigit() and right[0].isdigit() and self._broken else " "
        return "" if self._is_one_word(left, right, labels=_LABEL.match(line.text) is not None) else " "

    def _hyphen(self, left: str, right: str) -> str:
        """Return the hyphen of a compound ("open-domain"), which stands elsewhere inside a line, or of two names."""
        return "-" if (left, right) in self._compounds or not right[0].islower() else ""

    def _is_one_word(self, left: str, right: str, labels: bool) -> bool:
        """Tell whether Hangul before or after a line's end goes on: by the document's spaces, its words, by grammar.

        A word that `labels` what follows is no particle.
        """
        both = is_hangul(left[-1]) and is_hangul(right[0])
        if right in _CONNECTIVES:
            return False
        if both and self._spaces_kept:
            return True
        if (left, right) in self._pairs:
            return False
        if left + right in self._words or left + right in self._broken:
            return True
        if not both:
            return False
        verb = len(left) > 1 and left[-1] not in _NO_NOUN and _VERB.match(right) is not None
        return verb or (not labels and _PARTICLES.fullmatch(right) is not None)


def _broken_twice(lines: Sequence[Line]) -> set[str]:
    """Return the words that two line ends break at different places, so that neither of them is a space."""
    breaks: dict[str, set[int]] = defaultdict(set)
    for before, line in pairwise(lines):
        tail, head = _TAIL.search(before.text), _HEAD.match(line.text)
        if tail and head and not before.spaced and line.text[0].isalnum():
            breaks[tail.group(1) + head.group(1)].add(len(tail.group(1)))
    return {word for word, places in breaks.items() if len(places) > 1}
