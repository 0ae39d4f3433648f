"""What the case files hold, taken from their raw bytes: previews, XML words, sidecars, required strings."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import olefile
from lxml import etree

from pipelines.parsers.old_hangul import plain

# form -> suffixes. Folders named "bad" hold hostile files: they are measured by cases_refresh.py.
SUFFIXES = {
    "hwp": (".hwp", ".hwpx", ".hml"),
    "pdf": (".pdf",),
    "docx": (".docx",),
    "pptx": (".pptx",),
    "xlsx": (".xlsx",),
    "eml": (".eml",),
    "txt": (".txt", ".csv"),
    "html": (".html", ".htm"),
    "md": (".md",),
}
FOLDERS = ("hwp", "formats")
_SIDECAR = re.compile(r"\.(?:expected|must|mustnot)\.txt$")

# The preview is cut at about 1,000 characters, in the middle of a word at times; 900 stay clear of the cut.
PREVIEW_CHARS = 900
_HWP_PASSWORD = 0x02  # FileHeader properties, bit 1 (HWP 5.0 revision 1.3, table 3)

# Tags that tools write into Markdown. Text such as <표 1> stays.
_TAG = re.compile(
    r"</?(?:table|thead|tbody|caption|tr|t[dh]|br|p|div|span|su[pb]|b|i|u|s|strong|em|ruby|rt|rb|a|img|h[1-6]|li|[uo]l)"
    r"(?:\s[^<>]*)?/?>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_INLINE_TAG = re.compile(r"</?(?:su[pb]|b|i|u|s|strong|em|span|ruby|rb|a)(?:\s[^<>]*)?>", re.IGNORECASE)
# What Markdown and HTML escape. Other references (&#44428;) are text that was left undecoded.
_ESCAPED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "#39": "'", "#x27": "'", "nbsp": " "}
_ESCAPE = re.compile(rf"&({'|'.join(_ESCAPED)});")
_MARKUP = re.compile(r"[\\*_|~#`]")
_HANGUL_WORD = re.compile(r"[가-힣]{2,}")
_WORD = re.compile(r"\w{2,}")


def case_files(cases: Path, form: str) -> list[Path]:
    """Return the files of a form, smallest first, without hostile ones and sidecars."""
    found = [path for folder in FOLDERS for path in (cases / folder).rglob("*") if path.suffix in SUFFIXES[form]]
    kept = (path for path in found if "bad" not in path.parts and not _SIDECAR.search(path.name))
    return sorted(kept, key=lambda path: (path.stat().st_size, path.name))


def open_text(text: str) -> str:
    """Return text in NFC without the marks of Markdown and HTML; what stands in two cells stays apart.

    Private-use letters are written as the standard ones, whoever kept them: Hancom's previews hold them raw.
    """
    text = _TAG.sub(" ", _INLINE_TAG.sub("", plain(text)))
    return _MARKUP.sub("", _ESCAPE.sub(lambda found: _ESCAPED[found[1]], text))


def squeezed_text(text: str) -> str:
    """Return open_text without white space and angle brackets."""
    return re.sub(r"[\s<>\u200b\ufeff\u00ad]+", "", open_text(text))


def share(wanted: Sequence[str] | set[str], found: int) -> float:
    """Return found / wanted; 1 when nothing was wanted."""
    return found / len(wanted) if wanted else 1.0


def preview_tokens(path: Path) -> list[str]:
    """Return the tokens of the start of a document's preview, which Hancom's program wrote; [] without one."""
    text = preview(path)[:PREVIEW_CHARS]
    tokens = (squeezed_text(token) for token in re.sub(r"[<>]", " ", text).split())
    return [token for token in tokens if token]


def preview(path: Path) -> str:
    """Return PrvText; "" when there is none, or when a password keeps the body from being read."""
    if olefile.isOleFile(path):
        with olefile.OleFileIO(path) as ole:
            if not ole.exists("PrvText") or _has_password(ole):
                return ""
            return bytes(ole.openstream("PrvText").read()).decode("utf-16-le", "replace")
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as package:
            names = set(package.namelist())
            if "Preview/PrvText.txt" not in names or _is_encrypted(package, names):
                return ""
            return package.read("Preview/PrvText.txt").decode("utf-8", "replace")
    return ""


def _has_password(ole: olefile.OleFileIO) -> bool:
    return bool(ole.openstream("FileHeader").read()[36] & _HWP_PASSWORD)


def _is_encrypted(package: zipfile.ZipFile, names: set[str]) -> bool:
    manifest = "META-INF/manifest.xml"
    return manifest in names and b"encryption-data" in package.read(manifest)


def preview_share(tokens: Sequence[str], text: str) -> float:
    """Return the share of a preview's tokens that a text holds."""
    squeezed = squeezed_text(text)
    return share(tokens, sum(token in squeezed for token in tokens))


def pairs(files: Sequence[Path], suffixes: tuple[str, str]) -> list[tuple[Path, Path]]:
    """Return the files that stand beside one of the same stem with the other suffix."""
    by_name = {path.with_suffix("").name + path.suffix: path for path in files}
    first, second = suffixes
    stems = sorted(name.removesuffix(first) for name in by_name if name.endswith(first))
    return [(by_name[stem + first], by_name[stem + second]) for stem in stems if stem + second in by_name]


def hangul_words(text: str) -> set[str]:
    """Return the Hangul words of two syllables and more."""
    return set(_HANGUL_WORD.findall(open_text(text)))


def all_words(text: str) -> set[str]:
    """Return the words of two letters or digits and more."""
    return set(_WORD.findall(open_text(text)))


def source_text(path: Path) -> str:
    """Return the text of an OOXML file from its raw XML, a line for a paragraph, cell or value."""
    with zipfile.ZipFile(path) as package:
        parts = [name for name in sorted(package.namelist()) if _TEXT_PART.match(name)]
        return "\n".join(line for name in parts for line in _paragraphs(etree.fromstring(package.read(name), _XML)))


# Body text alone: headers, footers and comments stand apart by design.
_TEXT_PART = re.compile(
    r"word/(?:document|footnotes|endnotes)\.xml$|word/(?:charts|diagrams)/(?:chart|data)\d*\.xml$"
    r"|ppt/(?:slides|notesSlides)/\w+\.xml$|ppt/(?:charts/chart|diagrams/data)\d*\.xml$"
    r"|xl/sharedStrings\.xml$|xl/worksheets/\w+\.xml$"
)
_XML = etree.XMLParser(resolve_entities=False, no_network=True)
_RUNNING = frozenset({"dt", "ftr", "hdr", "sldNum"})
# Deleted, moved away, hidden, shown a second time for old programs, read aloud, or a page number.
_UNSEEN = frozenset({"del", "moveFrom", "Fallback", "rPh", "rt", "instrText", "delText"})


def _paragraphs(root: etree._Element) -> Iterator[str]:
    """Yield the text of each paragraph; a text box is one of its own."""
    for shape in [found for found in root.iter("{*}sp") if _is_running(found)]:
        cast(etree._Element, shape.getparent()).remove(shape)
    for element in root.iter():
        if not isinstance(element.tag, str) or _inside_unseen(element):
            continue
        name = etree.QName(element).localname
        if name in ("p", "si", "is"):
            yield "".join(text for child in element if isinstance(child.tag, str) for text in _runs(child))
        elif name == "v" and "chart" in element.tag:
            yield element.text or ""


def _is_running(shape: etree._Element) -> bool:
    """Tell whether a shape of a slide is its date, footer, header or number."""
    return any(place.get("type") in _RUNNING for place in shape.iterfind("{*}nvSpPr/{*}nvPr/{*}ph"))


def _runs(element: etree._Element) -> Iterator[str]:
    name = etree.QName(element).localname
    if name in _UNSEEN or name in ("p", "txbxContent") or _hidden(element, name):
        return
    if name == "t":
        yield element.text or ""
    elif name in ("tab", "br", "cr"):
        yield " "
    elif name == "noBreakHyphen":
        yield "-"
    for child in element:
        if isinstance(child.tag, str):
            yield from _runs(child)


def _hidden(element: etree._Element, name: str) -> bool:
    if name == "fld":  # DrawingML: slide number and date
        return True
    return name == "r" and any(
        child.attrib.get(f"{{{etree.QName(child).namespace}}}val", "1") not in ("0", "false")
        for child in element.findall("{*}rPr/{*}vanish")
    )


def _inside_unseen(element: etree._Element) -> bool:
    return any(etree.QName(parent).localname in _UNSEEN for parent in element.iterancestors())
