"""Compare saero's parsers with their peers over the shared case files, and hold them to their bars.

    python benchmarks/parse_quality.py [--only 1 2 ...] [--without-peers] [--details] [--cases FOLDER] [--venvs FOLDER]

The folder of cases is SAERO_CASES, or ../shared/cases beside the checkout; it is only read. Each peer is installed
from benchmarks/peers/*.txt in an environment of its own (--venvs keeps them between runs). Whoever reads does so in a
process of its own, a form at a time; imports aren't counted. `*` marks the best of a row. Exit code 1 below a bar.

Rows:
1 HWP/HWPX   share of the tokens in the first 900 characters of PrvText, written by Hancom's program: >= .99
2 pairs      same-named .hwp and .hwpx give the same text without white space: all
3 DOCX       27 strings of syn_ko_everything.docx, 3 that must not come
4 PPTX       15 strings of syn_ko_everything.pptx
5 PDF        Hangul words of Office files (raw XML) in the PDF that Office printed: >= .99
6 sidecars   the words of *.expected.txt, *.must.txt and *.mustnot.txt
7 encodings  30 seeded texts each of 20, 200 and 2,000 characters in six encodings: all
8 recall     words of the raw XML of real .docx and .pptx (no bar)
9 cost       CPU seconds and memory: HWP <= .25 s/MB, PDF <= 25 x pypdfium2's bare text, XLSX <= 1.3 x openpyxl's own
             read-only pass, a made 300-page PDF < 100 MB
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from cases_refresh import cases_folder
from parse_cost import cost_rows
from parse_desk import Desk, progress
from parse_encodings import encoding_rows
from parse_readers import OURS, PEER_READERS, Reader, install
from parse_rows import docx_rows, pair_row, pptx_row, preview_row, print_row, recall_row, sidecar_row
from parse_table import Row, table

ROWS: dict[str, Callable[[Desk], list[Row]]] = {
    "1": lambda desk: [preview_row(desk)],
    "2": lambda desk: [pair_row(desk)],
    "3": docx_rows,
    "4": lambda desk: [pptx_row(desk)],
    "5": lambda desk: [print_row(desk)],
    "6": lambda desk: [sidecar_row(desk)],
    "7": encoding_rows,
    "8": lambda desk: [recall_row(desk, form) for form in ("docx", "pptx")],
    "9": cost_rows,
}


def main() -> None:
    """Install the peers, read, print, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--cases", type=Path, default=cases_folder())
    options.add_argument("--only", nargs="*", choices=ROWS, default=list(ROWS), metavar="ROW")
    options.add_argument("--without-peers", action="store_true")
    options.add_argument("--details", action="store_true", help="list the files below the bar")
    options.add_argument("--venvs", type=Path, help="keep the environments of the peers there")
    chosen = options.parse_args()
    if not chosen.cases.is_dir():
        options.error(f"no such folder of case files: {chosen.cases}; name it with --cases or SAERO_CASES")
    with tempfile.TemporaryDirectory(prefix="saero-parse-") as scratch:
        venvs = (chosen.venvs or Path(scratch) / "venvs").resolve()
        peers = () if chosen.without_peers else installed(venvs)
        desk = Desk(chosen.cases.resolve(), venvs, Path(scratch), peers)
        raise SystemExit(report(desk, chosen.only, details=chosen.details))


def installed(venvs: Path) -> tuple[Reader, ...]:
    """Return the peers that could be installed; the table says of the others why not."""
    there = []
    for reader in PEER_READERS:
        progress(f"installing {reader.name} {reader.version}")
        if problem := install(reader, venvs):
            print(f"{reader.name} {reader.version} can't be installed here: {problem}")
        else:
            there.append(reader)
    return tuple(there)


def unread_files(desk: Desk) -> list[str]:
    """Name the case files that ours gave no text for, and why; of the others' say how many."""
    named = []
    for (who, form), done in desk.passes.items():
        unread = {path: one.error for path, one in done.readings.items() if one.error}
        if who == OURS.name:
            named += [f"{desk.named(path)}: {error}" for path, error in unread.items()]
        elif unread:
            named.append(f"{who}, {form}: {len(unread)} of {len(done.readings)}")
    return named


def report(desk: Desk, only: Sequence[str], *, details: bool) -> int:
    """Print the table and what stands below it; returns the exit code."""
    rows = [row for key in only for row in ROWS[key](desk)]
    print(table(rows, (OURS, *desk.peers)), end="\n\n")
    for row in rows:
        for note in (*row.notes, *(row.details if details else ())):
            print(f"  {note}")
    for unread in unread_files(desk) if details else ():
        print(f"  not read: {unread}")
    misses = [row.name for row in rows if not row.reached]
    print(f"\n{len(misses)} of {sum(row.bar is not None for row in rows)} bars missed")
    return 1 if misses else 0


if __name__ == "__main__":
    main()
