"""Read files with one tool in a process of its own; parse_readers.py starts it, in the tool's own environment.

    python benchmarks/parse_child.py TOOL FORMAT

Standard input has one path a line, standard output one JSON object a line. The first tells the memory after the
imports, each later one answers a path: text, CPU seconds of the call, error, peak memory. An import that fails ends
the process with its words on standard error. Only the standard library is imported before the tool is chosen.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Answer = dict[str, Any]
Read = Callable[[str], Answer]


def ours(form: str) -> Read:
    """Parse and render, as a refresh does."""
    from pipelines.body import squeezed
    from pipelines.mirror import render
    from pipelines.parsers import FORMATS, parse
    from pipelines.records import Limits

    for word in {"hwp": ("hwp", "hwpx", "hml"), "txt": ("txt", "csv")}.get(form, (form,)):
        importlib.import_module(f"pipelines.parsers.{FORMATS[word]}")

    def read(path: str) -> Answer:
        with Path(path).open("rb") as file:
            parsed = parse(file, Path(path).name, Limits())
        text, apart = render(parsed.blocks).text, "\n".join(one.text for one in parsed.apart)
        return {"text": text, "body": squeezed(parsed.blocks), "title": parsed.title or "", "apart": apart}

    return read


def kreuzberg(form: str) -> Read:
    """Extract as Markdown; the cache would answer without reading."""
    tool = importlib.import_module("kreuzberg")
    config = tool.ExtractionConfig(output_format="markdown", use_cache=False)
    return lambda path: {"text": tool.extract_file_sync(path, config=config).content}


def markitdown(form: str) -> Read:
    """Convert with the built-in converters."""
    converter = importlib.import_module("markitdown").MarkItDown(enable_plugins=False)
    return lambda path: {"text": converter.convert(path).text_content}


def hwp2markdown(form: str) -> Read:
    """Convert in memory: nothing is written beside the file."""
    tool = importlib.import_module("hwp2md")
    return lambda path: {"text": tool.convert_bytes(Path(path).read_bytes(), filename=Path(path).name).markdown}


def syhwp(form: str) -> Read:
    """Extract Markdown."""
    tool = importlib.import_module("syhwp")
    return lambda path: {"text": tool.extract_markdown(path)}


def unhwp(form: str) -> Read:
    """Convert with the library's own defaults."""
    tool = importlib.import_module("unhwp")
    return lambda path: {"text": tool.to_markdown(path)}


def pypdfium2(form: str) -> Read:
    """Take the bare text of every page: the yardstick for PDF."""
    import pypdfium2

    def read(path: str) -> Answer:
        with pypdfium2.PdfDocument(path) as pdf:
            return {"text": "\n".join(_page_text(page) for page in pdf)}

    return read


def _page_text(page: Any) -> str:
    text = page.get_textpage()
    try:
        return str(text.get_text_range())
    finally:
        text.close()
        page.close()


def openpyxl(form: str) -> Read:
    """Iterate the values of every sheet, read-only: the yardstick for XLSX."""
    from openpyxl import load_workbook

    def read(path: str) -> Answer:
        book = load_workbook(path, read_only=True, data_only=True)
        try:
            return {"text": str(sum(_cells(sheet) for sheet in book.worksheets))}
        finally:
            book.close()

    return read


def _cells(sheet: Any) -> int:
    sheet.reset_dimensions()
    return sum(len(row) for row in sheet.iter_rows(values_only=True))


TOOLS: dict[str, Callable[[str], Read]] = {
    tool.__name__: tool for tool in (ours, kreuzberg, markitdown, hwp2markdown, syhwp, unhwp, pypdfium2, openpyxl)
}


def peak_mb() -> int:
    """Return the highest resident memory since the program started, in MB.

    On Linux ru_maxrss begins at the memory of the process that forked this one; VmHWM belongs to the program alone.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        scale = 1024 * 1024 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // scale
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def answer(read: Read, path: str) -> Answer:
    """Read one file; whatever the tool raises is its answer."""
    started = time.process_time()
    try:
        said, error = read(path), ""
    except Exception as raised:
        said, error = {}, f"{type(raised).__name__}: {raised}"[:200]
    return {**said, "cpu_seconds": time.process_time() - started, "error": error, "peak_mb": peak_mb()}


def silence(stream: int) -> None:
    """Send what a tool prints to standard output (1) or error (2) nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream)
    os.close(nowhere)


def main() -> None:
    """Answer every path until the input ends."""
    tool, form = sys.argv[1:3]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silence(1)
    read = TOOLS[tool](form)
    silence(2)
    print(json.dumps({"peak_mb": peak_mb()}), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(read, line.rstrip("\n"))), file=answers, flush=True)


if __name__ == "__main__":
    main()
