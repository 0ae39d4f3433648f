"""The visible words of an HTML page as blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from pipelines.parsers.apart import Apart
from pipelines.parsers.html_hidden import HiddenRules
from pipelines.parsers.html_image import is_image
from pipelines.parsers.html_office import is_mark, is_note, list_level, mark_of, office_aside, split_note
from pipelines.parsers.html_table import Span, is_layout, place_cells, read_rows
from pipelines.parsers.text import clean
from pipelines.records import Block, Cell

# Never part of the text: machinery, menus, form controls, pictures, readings over characters.
_SKIPPED = frozenset((
    "script", "style", "nav", "template", "noscript", "iframe", "object", "embed", "svg", "canvas",
    "video", "audio", "map", "head", "datalist", "button", "rt", "rp",
))  # fmt: skip
_BLOCK = frozenset((
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html", "legend", "li", "main", "ol",
    "p", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
))  # fmt: skip
# Headers and footers inside these belong to the text; others are the site's, with all that is in them.
_ARTICLES = ("article", "main", "section", "header", "footer")
_CODE = ("pre", "listing", "xmp")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
# What a person typed or chose; passwords and hidden fields are for programs.
_TYPED = frozenset(("", "text", "search", "tel", "url", "email", "number", "date", "time", "month", "week"))
_SKIPPED_ROLES = frozenset(("navigation", "search", "menu", "menubar"))
_ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
# Deeper nesting is machine-made; its text is taken flat. libxml2 stops at 2,048 levels, Python's stack far earlier.
_MAX_DEPTH = 150
# Tables in tables in tables are a page's layout from there on (Limits.depth); their words follow one another.
_MAX_TABLES = 20
_OUTLOOK_HEAD = "divRplyFwdMsg"
# A person may ask for these words; hidden and deleted ones are only counted.
_KEPT_WORDS = ("header", "footer", "comment")


class HtmlBlocks:
    """Walks a tree once; `blocks` and `apart` are its result."""

    def __init__(self, *, mail: bool = False, hidden: HiddenRules | None = None, tables: int = 0) -> None:
        self.blocks: list[Block] = []
        self.apart = Apart()
        self._mail = mail
        self._hidden = hidden
        self._tables = tables
        self._words: list[str] = []
        self._next: Block | None = None
        self._lists: list[tuple[str, int]] = []
        self._quoted = 0

    def walk(self, element: Any, depth: int = 0) -> None:
        """Add an element, its children and the text between them; its tail belongs to the caller."""
        tag = element.tag if isinstance(element.tag, str) else ""
        if not tag or tag in _SKIPPED:
            return
        if not self._shows(element):
            return
        quoted = self._mail and _is_quote(element, tag)
        if quoted:
            self._flush()
        self._quoted += quoted
        self._element(element, tag, depth)
        if quoted:
            self._flush()
        # Outlook marks only the head; everything below it is the earlier mail.
        self._quoted -= quoted and element.get("id") != _OUTLOOK_HEAD

    def finish(self) -> list[Block]:
        """End the last paragraph and return the blocks."""
        self._flush()
        return self.blocks

    def _element(self, element: Any, tag: str, depth: int) -> None:
        if depth > _MAX_DEPTH:
            self._words += self._visible(element)
        elif tag == "br":
            self._words.append("\n")
        elif tag == "img":
            self._image(element)
        elif tag in ("input", "select", "textarea"):
            self._words.append(_filled_in(element, tag))
        elif is_mark(element):
            self._words.append(" ")
        elif tag in _BLOCK or tag in _HEADINGS or tag in _CODE or is_note(element):
            self._flush()
            self._block(element, tag, depth)
            self._flush()
        else:
            self._children(element, depth)

    def _block(self, element: Any, tag: str, depth: int) -> None:
        if tag in _CODE:
            self._code(element)
        elif is_note(element):
            self._note(element)
        elif tag == "table" and self._tables < _MAX_TABLES and not is_layout(element):
            self._table(element, depth)
        elif tag in _HEADINGS:
            self._next = Block("heading", level=_HEADINGS[tag], number=mark_of(element) if list_level(element) else "")
            self._children(element, depth)
        elif tag in ("ul", "ol"):
            self._list(element, tag, depth)
        elif tag == "li":
            self._entry(element, self._item(element), depth)
        elif tag == "p" and list_level(element):
            self._entry(element, Block("item", level=list_level(element), number=mark_of(element)), depth)
        else:
            self._children(element, depth)

    def _list(self, element: Any, tag: str, depth: int) -> None:
        start = element.get("start", "1")
        style = element.get("type", "1") if tag == "ol" else ""
        self._lists.append((style, int(start) if re.fullmatch(r"-?\d{1,9}", start) else 1))
        self._children(element, depth)
        self._flush()
        self._lists.pop()

    def _entry(self, element: Any, item: Block, depth: int) -> None:
        self._next = item
        self._children(element, depth)
        self._flush()
        self._next = None

    def _visible(self, element: Any, *, as_written: bool = False) -> Iterator[str]:
        """Yield the visible words of an element without recursion, a paragraph for each block in it.

        as_written  white space is kept and blocks don't end lines, as in <pre>
        """
        pending: list[Any] = [element]
        while pending:
            part = pending.pop()
            if part is None:
                yield "\n\n"
                continue
            if isinstance(part, str):
                yield part if as_written else _collapse(part)
                continue
            tag = part.tag if isinstance(part.tag, str) else ""
            if part is not element and (not tag or tag in _SKIPPED or not self._shows(part)):
                continue
            if tag in ("br", "input", "select", "textarea"):
                yield "\n" if tag == "br" else _filled_in(part, tag)
                continue
            if tag == "img":
                self._image(part)
            edges = [None] if not as_written and (tag in _BLOCK or tag in _HEADINGS or tag in _CODE) else []
            pending += edges
            for child in reversed(part):
                pending += [child.tail or "", child]
            pending += [part.text or "", *edges]

    def _children(self, element: Any, depth: int) -> None:
        self._words.append(_collapse(element.text))
        for child in element:
            self.walk(child, depth + 1)
            self._words.append(_collapse(child.tail))

    def _shows(self, element: Any) -> bool:
        """Tell whether an element belongs to the text; count it, and keep its words, when it doesn't."""
        if self._hidden is None:
            self._hidden = HiddenRules(element)
        kind = self._aside(element, element.tag, self._hidden)
        if kind:
            self._put_apart(kind, element)
        return not kind

    def _aside(self, element: Any, tag: str, hidden: HiddenRules) -> str:
        """Return the kind under which an element is kept apart; "" when it belongs to the text."""
        # Web systems hide the whole page until their scripts ran; readers see it.
        if tag not in ("html", "body") and hidden.hides(element, tag):
            return "hidden"
        if tag == "del":
            return "deleted"
        # Presentation MathML is marks without an order that reads; its words would be "x2" for a square.
        if tag == "math":
            return "equation"
        if office := office_aside(element):
            return office
        if (element.get("role") or "").lower() in _SKIPPED_ROLES:
            return "navigation"
        if tag in ("header", "footer") and not any(a.tag in _ARTICLES for a in element.iterancestors()):
            return "" if any(part.tag in _HEADINGS for part in element.iter()) else tag
        return ""

    def _put_apart(self, kind: str, element: Any) -> None:
        text = " ".join("".join(element.itertext()).split())
        if kind in _KEPT_WORDS:
            self.apart.put(kind, text)
        elif text:
            self.apart.count(kind)

    def _image(self, element: Any) -> None:
        """Count a picture; those of a mail are parts of it and counted there."""
        self.apart.count("image", not self._mail and is_image(element))

    def _item(self, element: Any) -> Block:
        if not self._lists:
            return Block("item", level=1)
        style, number = self._lists[-1]
        if not style:
            return Block("item", level=len(self._lists))
        value = element.get("value", "")
        if re.fullmatch(r"\d{1,9}", value):
            number = int(value)
        self._lists[-1] = (style, number + 1)
        return Block("item", level=len(self._lists), number=f"{_in_style(number, style)}.")

    def _note(self, element: Any) -> None:
        number, text = split_note(" ".join(clean("".join(self._visible(element))).split()))
        if text:
            self.blocks.append(Block("note", text, number=number, in_body=False))

    def _code(self, element: Any) -> None:
        text = clean("".join(self._visible(element, as_written=True))).strip("\n")
        if text.strip():
            self.blocks.append(Block("code", text, in_body=not self._quoted))

    def _table(self, element: Any, depth: int) -> None:
        cells = []
        found = read_rows(element, self._shows)
        for stray in found.strays:
            if isinstance(stray, str):
                self._words.append(_collapse(stray))
            else:
                self.walk(stray, depth + 1)
        self._flush()
        spans, header_rows = place_cells(found)
        for caption in element.iterchildren("caption"):
            self.walk(caption, depth + 1)
        for span in spans:
            blocks = self._cell(span, depth)
            if blocks or span.row_span > 1 or span.col_span > 1:
                cells.append(Cell(span.row, span.col, tuple(blocks), span.row_span, span.col_span))
        if any(cell.blocks for cell in cells):
            self.blocks.append(Block("table", cells=tuple(cells), header_rows=header_rows, in_body=not self._quoted))

    def _cell(self, span: Span, depth: int) -> list[Block]:
        inner = HtmlBlocks(mail=self._mail, hidden=self._hidden, tables=self._tables + 1)
        inner._children(span.element, depth + 1)
        blocks = inner.finish()
        self.apart.take(inner.apart)
        return blocks

    def _flush(self) -> None:
        lines = [" ".join(line.split()) for line in clean("".join(self._words)).replace("\xa0", " ").split("\n")]
        self._words.clear()
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
        if not text:
            return
        block = self._next or Block("paragraph")
        self._next = None
        for part in [" ".join(text.split())] if block.kind == "heading" else text.split("\n\n"):
            self.blocks.append(
                Block(block.kind, part, level=block.level, number=block.number, in_body=not self._quoted)
            )
            block = Block("paragraph") if block.kind == "item" else block


def parse_html(text: str) -> Any:
    """Return the root of a page, None when nothing is in it."""
    # Without huge_tree everything below the 256th level is dropped in silence; the size is bounded by the caller.
    parser = lxml_html.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True
    )
    data = text.encode("utf-8", "replace")
    try:
        return lxml_html.document_fromstring(data, parser=parser) if text.strip() else None
    except etree.ParserError:
        return None


def is_cut(root: Any) -> bool:
    """Tell whether the text ends early because elements are nested deeper than libxml2 reads (2,048 levels)."""
    return any("depth" in entry.message for entry in root.getroottree().parser.error_log)


def _filled_in(element: Any, tag: str) -> str:
    """Return what stands in a field of a form."""
    if tag == "textarea":
        return element.text or ""
    if tag == "input":
        typed = (element.get("type") or "").lower() in _TYPED
        return f" {element.get('value') or ''} " if typed else " "
    chosen = [option for option in element.iter("option") if option.get("selected") is not None]
    return " " + ", ".join(" ".join("".join(option.itertext()).split()) for option in chosen) + " "


def _in_style(number: int, style: str) -> str:
    """Return a list number as the list's type shows it (HTML standard, 4.4.5: 1, a, A, i, I)."""
    if style in ("a", "A") and 0 < number <= 26:
        return chr(ord(style) + number - 1)
    if style in ("i", "I") and 0 < number < len(_ROMAN):
        return _ROMAN[number] if style == "i" else _ROMAN[number].upper()
    return str(number)


def _collapse(text: str | None) -> str:
    return re.sub(r"[ \t\r\n\f]+", " ", text) if text else ""


def _is_quote(element: Any, tag: str) -> bool:
    """Tell whether mail programs mark the element as the quoted earlier mail."""
    if tag == "blockquote" and element.get("type") == "cite":
        return True
    classes = (element.get("class") or "").split()
    return "gmail_quote" in classes or "yahoo_quoted" in classes or element.get("id") == _OUTLOOK_HEAD
