"""One file a format; the format is chosen by magic bytes, never by the file name alone."""

from __future__ import annotations

import importlib
from typing import BinaryIO, Protocol, cast

from pipelines.errors import Corrupt, SkipDocument
from pipelines.parsers.detect import detect
from pipelines.records import Limits, Parsed

__all__ = ["FORMATS", "PARSER_VERSION", "Parser", "detect", "parse"]

# Part of the key under which a parsed body is stored: raise it when any parser's output changes.
PARSER_VERSION = "4"

# format word -> module in this package
FORMATS = {
    "hwp": "hwp",
    "hwpx": "hwpx",
    "hml": "hml",
    "pdf": "pdf",
    "docx": "docx",
    "pptx": "pptx",
    "xlsx": "xlsx",
    "xls": "xlsx",
    "eml": "eml",
    "mbox": "mbox",
    "ics": "ics",
    "txt": "txt",
    "md": "md",
    "csv": "csv",
    "html": "html",
    "mhtml": "mhtml",
}


class Parser(Protocol):
    """A module of this package."""

    def parse(self, file: BinaryIO, name: str, limits: Limits) -> Parsed:
        """Read a document; raises SkipDocument subclasses only."""


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Detect the format of `file` and parse it; whatever a library raises becomes Corrupt."""
    word = detect(file, name)
    file.seek(0)
    module = cast(Parser, importlib.import_module(f"pipelines.parsers.{FORMATS[word]}"))
    try:
        return module.parse(file, name, limits)
    except (SkipDocument, MemoryError):
        raise
    except Exception as error:
        raise Corrupt(f"the {word} parser stopped at {type(error).__name__}") from error
