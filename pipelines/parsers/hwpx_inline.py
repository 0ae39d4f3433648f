"""What one paragraph of an HWPX or HWPML document says, as it is collected run by run."""

from __future__ import annotations

from typing import Any

from pipelines.parsers.ooxml_package import with_target
from pipelines.parsers.text import clean


class Deletions:
    """What tracked changes have deleted; a deletion may run on through paragraphs until the mark that ends it.

    A mark that no other ends, which programs other than Hangul leave behind, deletes no further than its paragraph.
    """

    def __init__(self) -> None:
        self._open: set[str] = set()
        self._ending: list[str] = []
        self._alone: set[Any] = set()
        self._count = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say how often something was deleted."""
        return (f"{self._count} passages that tracked changes deleted",) if self._count else ()

    @property
    def here(self) -> bool:
        """Tell whether the words that come next were deleted."""
        return bool(self._open)

    def start_section(self, root: Any, begin: str, end: str) -> None:
        """Find the marks `begin` under `root` that no mark `end` belongs to; names are without namespace."""
        self._open.clear()
        self._alone.clear()
        waiting: dict[str, Any] = {}
        for mark in root.iter(f"{{*}}{begin}", f"{{*}}{end}"):
            before = waiting.pop(_key(mark), None)
            if str(mark.tag).endswith(begin):
                waiting[_key(mark)] = mark
                if before is not None:
                    self._alone.add(before)
        self._alone.update(waiting.values())

    def begin(self, mark: Any) -> None:
        """Take a mark where deleted words begin."""
        self._open.add(_key(mark))
        if mark in self._alone:
            self._ending.append(_key(mark))
        self._count += 1

    def end(self, mark: Any) -> None:
        """Take a mark where they end."""
        self._open.discard(_key(mark))

    def set_aside(self) -> set[str]:
        """Let what is anchored be read by itself: it was kept, whatever is deleted after it."""
        open_here, self._open = self._open, set()
        return open_here

    def take_back(self, open_here: set[str]) -> None:
        """Go on with what was open before."""
        self._open = open_here

    def end_paragraph(self) -> None:
        """Forget the marks that end with their paragraph."""
        self._open.difference_update(self._ending)
        self._ending.clear()


class Inline:
    """The words of a paragraph, and what is anchored in it in reading order; deleted ones are left out.

    The first `leading` of the anchors stand before any word. `end_deleted` says that the paragraph's end was
    deleted: it then stands no longer by itself.
    """

    def __init__(self, deletions: Deletions) -> None:
        self.anchors: list[Any] = []
        self.leading = 0
        self.end_deleted = False
        self._deletions = deletions
        self._words: list[str] = []
        self._fields: list[tuple[int, str]] = []
        self._in_link = False
        self._has_words = False

    @property
    def is_gone(self) -> bool:
        """Tell whether tracked changes have left nothing of the paragraph."""
        return self.end_deleted and not self.anchors and not "".join(self._words).strip()

    def say(self, text: str | None) -> None:
        """Add words."""
        if text and not self._deletions.here:
            self._words.append(text)
            self._has_words = self._has_words or not text.isspace()

    def anchor(self, element: Any) -> None:
        """Add a table, drawing or note, read once the paragraph's own number is known."""
        if not self._deletions.here:
            self.anchors.append(element)
            self.leading += not self._has_words

    def begin_field(self, address: str) -> None:
        """Open a field; `address` is where a hyperlink leads, "" for every other field. Links don't nest."""
        address = "" if self._in_link or self._deletions.here else address
        self._fields.append((len(self._words), address))
        self._in_link = self._in_link or bool(address)

    def end_field(self) -> None:
        """Close the last field; a web address follows the words that lead to it."""
        start, address = self._fields.pop() if self._fields else (0, "")
        if address:
            self._words[start:] = [with_target("".join(self._words[start:]), address)]
            self._in_link = False

    def finish(self) -> str:
        """Close what is open in the paragraph and return its words."""
        while self._fields:
            self.end_field()
        self._deletions.end_paragraph()
        return "".join(self._words)


def web_address(command: str) -> str:
    r"""Return the web address in a hyperlink's command ("http\://a.kr;1;0;0;"), "" when it leads elsewhere."""
    address = command.replace("\\;", "\0").partition(";")[0].replace("\0", ";").replace("\\", "")
    address = clean(address).strip()
    return address if address.lower().startswith(("http://", "https://")) else ""


def marked_changes(root: Any, *begins: str) -> set[str]:
    """Return the tracked changes that marks of these names, without namespace, begin under `root`."""
    return {mark.get("TcId") or _key(mark) for mark in root.iter(*(f"{{*}}{name}" for name in begins))}


def _key(mark: Any) -> str:
    return mark.get("Id") or mark.get("id") or ""
