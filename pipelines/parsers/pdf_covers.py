"""Boxes that are drawn over text: what a person blackened or covered in white, no reader sees."""

from __future__ import annotations

import ctypes
from itertools import islice
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pipelines.parsers.pdf_page import RULE_WIDTH, Box

# A box is four sides, or drawn as five or six parts.
_BOX_PARTS = range(4, 7)
_OPAQUE = 255
# More boxes over text than a person draws are a drawing; each text is compared with each box.
_MAX_BOXES = 100
_MAX_OBJECTS = 5_000


def covers(page: Any) -> dict[int, list[Box]]:
    """Return the opaque boxes over each text that has some, by the text's address, in the page's own coordinates.

    What is clipped, see-through or marked (an optional layer perhaps) covers nothing for sure.
    """
    texts: list[tuple[int, Box]] = []
    found: dict[int, list[Box]] = {}
    boxes = 0
    for item in islice(page.get_objects(max_depth=1), _MAX_OBJECTS):
        try:
            box: Box = item.get_bounds()
        except pdfium.PdfiumError:
            continue
        if item.type == raw.FPDF_PAGEOBJ_TEXT:
            texts.append((address(item.raw), box))
        elif item.type == raw.FPDF_PAGEOBJ_PATH and texts and _is_box(box) and _is_opaque(item.raw):
            boxes += 1
            if boxes > _MAX_BOXES:
                return {}
            for key, place in texts:
                if _meet(box, place):
                    found.setdefault(key, []).append(box)
    return found


def address(item: Any) -> int:
    """Return what two handles of one page object have in common."""
    return ctypes.cast(item, ctypes.c_void_p).value or 0


def _is_box(box: Box) -> bool:
    return box[2] - box[0] > RULE_WIDTH and box[3] - box[1] > RULE_WIDTH


def _is_opaque(path: Any) -> bool:
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    if not raw.FPDFPath_GetDrawMode(path, ctypes.byref(mode), ctypes.byref(stroke)) or not mode.value:
        return False
    if raw.FPDFPath_CountSegments(path) not in _BOX_PARTS or raw.FPDFPageObj_HasTransparency(path):
        return False
    if raw.FPDFPageObj_CountMarks(path) > 0 or raw.FPDFClipPath_CountPaths(raw.FPDFPageObj_GetClipPath(path)) > 0:
        return False
    parts = [ctypes.c_uint() for _ in range(4)]
    filled = raw.FPDFPageObj_GetFillColor(path, *map(ctypes.byref, parts))
    return bool(filled) and parts[3].value == _OPAQUE and _is_upright(path)


def _is_upright(path: Any) -> bool:
    """Tell whether each side of a path goes straight across or down, so that it fills its bounds."""
    x, y = ctypes.c_float(), ctypes.c_float()
    xs, ys = set(), set()
    for index in range(raw.FPDFPath_CountSegments(path)):
        part = raw.FPDFPath_GetPathSegment(path, index)
        if raw.FPDFPathSegment_GetType(part) == raw.FPDF_SEGMENT_BEZIERTO:
            return False
        raw.FPDFPathSegment_GetPoint(part, ctypes.byref(x), ctypes.byref(y))
        xs.add(round(x.value, 1))
        ys.add(round(y.value, 1))
    matrix = raw.FS_MATRIX()
    straight = raw.FPDFPageObj_GetMatrix(path, ctypes.byref(matrix)) and (
        (matrix.b == 0 and matrix.c == 0) or (matrix.a == 0 and matrix.d == 0)
    )
    return bool(straight) and len(xs) == 2 and len(ys) == 2


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
