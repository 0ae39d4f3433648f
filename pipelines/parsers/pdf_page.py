"""One page of a PDF as pdfium sees it: its frame, and what is drawn besides text."""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

# Fewer visible characters under a picture of at least this share of the page is a scan, with a stamp perhaps
# (5 of 5 scans; a slide with a chart has 26 characters and a share of .3).
SCAN_CHARS = 50
SCAN_SHARE = 0.5
# A path thinner than this (points) is a rule, a thicker one a box.
RULE_WIDTH = 3.0
# Forms inside forms; deeper drawings hold no text of their own in any file seen.
_OBJECT_DEPTH = 4
# A page of tables has some hundred objects, a map some 10,000. What is beyond isn't looked at.
MAX_OBJECTS = 50_000
# A table of two rows has three rules, and one border between two columns at least; rules closer than _SAME_RULE are
# one.
_MIN_RULES = 3
_SAME_RULE = 3.0
# A page with more paths than this, or more parts in them, is a drawing or a map.
_MAX_PATHS = 5_000
_MAX_SEGMENTS = 20_000
# pdfplumber looks at each place where two rules may cross; a full page of a sheet has 80 rows and 40 columns.
_MAX_CROSSINGS = 4_000
# A cell's side (points); what is shorter draws a sign or a logo. Of too many rules all pairs aren't compared.
_CELL_SIDE = 8.0
_MAX_PAIRS = 100_000
# A path of more parts than a box may be a whole grid; of one with more than this the parts aren't looked at.
_BOX_PARTS = 6
_GRID_PARTS = 1_000
# A text object narrower than this has a font without outlines here, and pdfium drops its words.
_NO_WIDTH = 0.01
_INVISIBLE = 3
_WHITE = 250
# Where more is drawn behind the text, its colour isn't judged.
_MAX_GROUNDS = 500

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a page holds besides readable text.

    images         how many pictures are painted on it, each strip of one that was cut for itself
    image_share    share covered by its largest picture
    rows, columns  how many different heights and places rules have, edges of boxes counted
    paths, segments  how many paths, and the parts of those that are more than a box
    crossed        a rule down meets three rules across or more, as the border of two cells does
    loses_words    text that pdfium can't give; unseen_text: most text is drawn invisibly, as OCR does
    hides_text     some text is drawn invisibly, and nothing that is drawn says the same
    boxes_last     a box is drawn after some text, perhaps over it
    wide           the page lies across
    """

    images: int = 0
    image_share: float = 0.0
    objects: int = 0
    rows: int = 0
    columns: int = 0
    paths: int = 0
    segments: int = 0
    crossed: bool = False
    loses_words: bool = False
    unseen_text: bool = False
    hides_text: bool = False
    boxes_last: bool = False
    wide: bool = False

    @property
    def crossings(self) -> int:
        return self.rows * self.columns

    @property
    def may_hold_tables(self) -> bool:
        if self.paths > _MAX_PATHS or self.segments > _MAX_SEGMENTS or self.objects >= MAX_OBJECTS:
            return False
        return self.crossed and self.rows >= _MIN_RULES and self.crossings <= _MAX_CROSSINGS


def media_box(page: Any) -> Box:
    """Return the page's MediaBox (left, bottom, right, top).

    pdfium reads only the page's own entry (crbug.com/pdfium/1786); one that stands in the page tree shows in the
    bounding box alone, which is MediaBox and CropBox together.
    """
    own: Box | None = page.get_mediabox(fallback_ok=False)
    return own or shown_box(page)


def shown_box(page: Any) -> Box:
    """Return what of the page is displayed (left, bottom, right, top), inherited boxes counted."""
    box: Box = page.get_bbox()
    return box


def page_frame(page: Any) -> Callable[[float, float], tuple[float, float]]:
    """Return the map from the page's own coordinates to points from the top left as it is displayed."""
    left, bottom, right, top = media_box(page)
    return {
        90: lambda x, y: (y - bottom, x - left),
        180: lambda x, y: (right - x, y - bottom),
        270: lambda x, y: (top - y, right - x),
    }.get(page.get_rotation(), lambda x, y: (x - left, top - y))


def shown_heights(page: Any) -> tuple[float, float]:
    """Return where the displayed page begins and ends, in the points of page_frame."""
    left, bottom, right, top = shown_box(page)
    place = page_frame(page)
    (_, one), (_, other) = place(left, bottom), place(right, top)
    return min(one, other), max(one, other)


class _Rule(NamedTuple):
    """A rule across at height `at` or down at `at`, from `start` to `end`; rules of one `key` can't be told apart."""

    key: int
    at: float
    start: float
    end: float


@dataclass(slots=True)
class _Counts:
    images: int = 0
    share: float = 0.0
    pictured: float = 0.0
    objects: int = 0
    paths: int = 0
    segments: int = 0
    loses: bool = False
    unseen: int = 0
    boxes_last: bool = False
    seen: int = 0
    rows: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)
    across: set[_Rule] = field(default_factory=set)
    down: set[_Rule] = field(default_factory=set)

    def row(self, y: float, left: float, right: float) -> None:
        self.rows.add(round(y / _SAME_RULE))
        if right - left > _CELL_SIDE:
            self.across.add(_Rule(round(y / _SAME_RULE), y, left, right))

    def column(self, x: float, bottom: float, top: float) -> None:
        self.columns.add(round(x / _SAME_RULE))
        if top - bottom > _CELL_SIDE:
            self.down.add(_Rule(round(x / _SAME_RULE), x, bottom, top))


def survey(page: Any) -> Drawn:
    """Look at the objects of a page without reading or rendering them."""
    kinds = (raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE)
    shown = shown_box(page)
    counts = _Counts()
    for item in islice(page.get_objects(filter=kinds, max_depth=_OBJECT_DEPTH), MAX_OBJECTS):
        counts.objects += 1
        try:
            box: Box = item.get_bounds()
        except pdfium.PdfiumError:
            continue
        if item.type == raw.FPDF_PAGEOBJ_IMAGE:
            covered = _covered(box, shown)
            counts.images += covered > 0
            counts.share, counts.pictured = max(counts.share, covered), counts.pictured + covered
        elif item.type == raw.FPDF_PAGEOBJ_PATH:
            _count_path(counts, item, box)
        else:
            hidden = is_invisible(item.raw)
            counts.unseen, counts.seen = counts.unseen + hidden, counts.seen + (not hidden)
            counts.loses = counts.loses or (box[2] - box[0] < _NO_WIDTH and not _is_embedded(item))
    return Drawn(
        images=counts.images,
        image_share=counts.share,
        objects=counts.objects,
        rows=len(counts.rows),
        columns=len(counts.columns),
        paths=counts.paths,
        segments=counts.segments,
        crossed=_is_crossed(counts.across, counts.down),
        loses_words=counts.loses,
        unseen_text=counts.unseen > counts.seen,
        boxes_last=counts.boxes_last,
        hides_text=counts.unseen > 0 and not _is_layer(counts),
        wide=page.get_width() > page.get_height(),
    )


def is_invisible(text_object: Any) -> bool:
    """Tell whether a text is neither filled nor stroked (render mode 3, ISO 32000-1 table 106)."""
    return bool(raw.FPDFTextObj_GetTextRenderMode(text_object) == _INVISIBLE)


def _is_layer(counts: _Counts) -> bool:
    """Tell whether invisible text is what pictures, or letters drawn as paths, show: a layer to search in."""
    return counts.pictured > SCAN_SHARE or (not counts.seen and counts.paths >= counts.unseen)


def _count_path(counts: _Counts, item: Any, box: Box) -> None:
    left, bottom, right, top = box
    counts.paths += 1
    wide, high = right - left > RULE_WIDTH, top - bottom > RULE_WIDTH
    parts = raw.FPDFPath_CountSegments(item.raw) if wide and high else 0
    if parts > _BOX_PARTS:
        counts.segments += parts
        if counts.segments <= _GRID_PARTS:
            _count_grid(counts, item, parts)
        return
    counts.boxes_last = counts.boxes_last or (wide and high and counts.seen > 0)
    # A box has two edges each way.
    if wide:
        for y in (bottom, top) if high else (bottom,):
            counts.row(y, left, right)
    if high:
        for x in (left, right) if wide else (left,):
            counts.column(x, bottom, top)


def _count_grid(counts: _Counts, item: Any, parts: int) -> None:
    """Count the parts of a path that go straight across or down, in the path's own coordinates."""
    x, y = ctypes.c_float(), ctypes.c_float()
    before: tuple[float, float] | None = None
    for index in range(parts):
        part = raw.FPDFPath_GetPathSegment(item.raw, index)
        if not raw.FPDFPathSegment_GetPoint(part, ctypes.byref(x), ctypes.byref(y)):
            continue
        place = (x.value, y.value)
        if before is not None and raw.FPDFPathSegment_GetType(part) == raw.FPDF_SEGMENT_LINETO:
            wide, high = abs(place[0] - before[0]) > RULE_WIDTH, abs(place[1] - before[1]) > RULE_WIDTH
            if wide and not high:
                counts.row(place[1], *sorted((before[0], place[0])))
            if high and not wide:
                counts.column(place[0], *sorted((before[1], place[1])))
        before = place


def _is_crossed(across: set[_Rule], down: set[_Rule]) -> bool:
    if len(across) * len(down) > _MAX_PAIRS:
        return True
    met: dict[int, set[int]] = defaultdict(set)
    for rule in down:
        for other in across:
            beside = other.start - _SAME_RULE <= rule.at <= other.end + _SAME_RULE
            if beside and rule.start - _SAME_RULE <= other.at <= rule.end + _SAME_RULE:
                met[rule.key].add(other.key)
    return any(len(keys) >= _MIN_RULES for keys in met.values())


def grounds(page: Any) -> list[Box] | None:
    """Return the places where something other than white paper may lie behind the text; None when it is anywhere."""
    found: list[Box] = []
    for item in islice(page.get_objects(max_depth=1), MAX_OBJECTS):
        if item.type == raw.FPDF_PAGEOBJ_TEXT or (item.type == raw.FPDF_PAGEOBJ_PATH and _is_white(item)):
            continue
        try:
            found.append(item.get_bounds())
        except pdfium.PdfiumError:
            return None
        if len(found) > _MAX_GROUNDS:
            return None
    return found


def _is_white(path: Any) -> bool:
    """Tell whether a path leaves white paper white: filled in white, or not at all."""
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    if raw.FPDFPath_GetDrawMode(path.raw, ctypes.byref(mode), ctypes.byref(stroke)) and not mode.value:
        return True
    parts = [ctypes.c_uint() for _ in range(4)]
    if not raw.FPDFPageObj_GetFillColor(path.raw, *map(ctypes.byref, parts)):
        return False
    return all(part.value >= _WHITE for part in parts[:3])


def _is_embedded(item: Any) -> bool:
    return bool(raw.FPDFFont_GetIsEmbedded(raw.FPDFTextObj_GetFont(item.raw)))


def _covered(box: Box, page: Box) -> float:
    """Return the share of `page` that `box` covers."""
    width = min(box[2], page[2]) - max(box[0], page[0])
    height = min(box[3], page[3]) - max(box[1], page[1])
    area = (page[2] - page[0]) * (page[3] - page[1])
    return max(0.0, width) * max(0.0, height) / area if area > 0 else 0.0
