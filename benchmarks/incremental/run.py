"""Bar 1 of refreshing: what a refresh costs when little changed, beside what others do. Exit code 1 below a bar.

    python benchmarks/incremental/run.py [--documents 10000] [--venvs FOLDER] [--only TOOL ...]

The same small documents in a folder (corpus.py), the same encoder that costs a hash, the same laps for each tool, one
tool at a time, each in a process that has imported everything. CPU counts workers too. LangChain and LlamaIndex are
given texts that were read and split before the lap ("loading"); ours and CocoIndex look at the folder themselves. Only
ours makes full text of Korean morphemes, checks what it publishes and asks canaries. "saero refresh" is the whole
command with the import of everything and Dagster, without a bar.

no-op        CPU < 1/5 of that of LangChain's index(), and nothing is embedded
edits        at most 2 passages embedded for each document that was edited or got a new first paragraph
moves        nothing embedded for what was renamed or copied
deletions    nothing of what was deleted is left
store wiped  it is filled again and nothing is embedded
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "dedup"), str(HERE)]

from corpus import COLD, COPIED, DELETED, EDITED, INSERTED, LAPS, NOTHING, RENAMED, WIPED, change  # noqa: E402
from figures import Figure  # noqa: E402
from peers import installed  # noqa: E402

OURS, LANGCHAIN = "ours", "langchain"
TOOLS = (OURS, LANGCHAIN, "llamaindex", "cocoindex")
SHARE, CHUNKS = 1 / 5, 2.0
SMALLEST = 1_000  # the laps rename, copy and delete a hundred documents each, at different places
Lap = dict[str, Any]


def main() -> None:
    """Measure, print, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--documents", type=int, default=10_000)
    options.add_argument("--venvs", type=Path, help="keep the environments of the others there")
    options.add_argument("--only", nargs="*", choices=TOOLS, default=list(TOOLS), metavar="TOOL")
    chosen = options.parse_args()
    if chosen.documents < SMALLEST:
        options.error(f"--documents: at least {SMALLEST}, or the laps run out of documents")
    print(f"{chosen.documents:,} documents of about 450 characters, three passages each")
    found: dict[str, dict[str, Lap]] = {}
    with tempfile.TemporaryDirectory(prefix="saero-incremental-") as scratch:
        folder = Path(scratch)
        for tool in chosen.only:
            python, problem = (
                (Path(sys.executable), "")
                if tool == OURS
                else installed(tool, (chosen.venvs or folder / "venvs").resolve())
            )
            (folder / tool).mkdir()
            problem = problem or _laps(python, tool, folder / tool, chosen.documents, found)
            print(table(tool, found.get(tool, {})) if not problem else f"\n{tool}: {problem}", flush=True)
        if OURS in found:
            print(_commands(folder / OURS, chosen.documents), flush=True)
    figures = bars(found, chosen.documents)
    print("", *(figure.line() for figure in figures), sep="\n")
    missed = sum(not figure.met for figure in figures)
    print(f"\n{missed} of {len(figures)} bars missed")
    sys.exit(1 if missed else 0)


def _laps(python: Path, tool: str, home: Path, documents: int, found: dict[str, dict[str, Lap]]) -> str:
    """Play all laps of a tool in a process of its own; returns why it has none."""
    ended = subprocess.run(
        [str(python), str(HERE / f"{tool}_child.py"), str(home), str(documents)],
        env={**os.environ, "PYTHONPATH": str(HERE), "ANONYMIZED_TELEMETRY": "false"},
        cwd=home,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    lines = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith('{"lap"')]
    if ended.returncode or not lines:
        said = ended.stderr.strip().splitlines()
        return f"ended with {ended.returncode}: {said[-1] if said else 'nothing said'}"
    found[tool] = {line["lap"]: line for line in lines}
    return ""


def _commands(home: Path, documents: int) -> str:
    """Return a table of the whole command over what our laps left, when nothing changed and when 1 % did."""
    lines = [f"\n{'saero refresh, the whole command':34}{'CPU s':>9}{'wall s':>9}"]
    for lap in ("first by the command", NOTHING, EDITED):
        change(EDITED, home / "docs", documents) if lap == EDITED else None
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = [sys.executable, str(HERE / "command_child.py"), str(home)]
        environment = {**os.environ, "PYTHONPATH": f"{HERE}{os.pathsep}{HERE.parents[1]}"}
        subprocess.run(command, env=environment, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        lines.append(f"  {lap:32}{cpu:9.2f}{time.perf_counter() - begun:9.2f}")
    return "\n".join(lines)


def table(tool: str, laps: dict[str, Lap]) -> str:
    """Draw the laps of a tool below each other."""
    lines = [f"\n{tool:34}{'CPU s':>9}{'wall s':>9}{'loading':>9}{'peak MB':>9}{'embedded':>10}{'passages':>10}"]
    for name in LAPS:
        lap = laps[name]
        loading = f"{lap['loading']:9.2f}" if "loading" in lap else f"{'':9}"
        lines.append(
            f"  {name:32}{lap['cpu']:9.2f}{lap['wall']:9.2f}{loading}{lap['peak']:9.0f}"
            f"{lap['embedded']:10,}{lap['rows']:10,}"
        )
    return "\n".join(lines)


def bars(found: dict[str, dict[str, Lap]], documents: int) -> list[Figure]:
    """Hold our laps to the bars."""
    unmeasured = [Figure(f"{tool}: laps", "none", "measured", False) for tool in (OURS, LANGCHAIN) if tool not in found]
    if OURS not in found:
        return unmeasured
    ours, figures = found[OURS], unmeasured
    if LANGCHAIN in found:
        share = ours[NOTHING]["cpu"] / found[LANGCHAIN][NOTHING]["cpu"]
        figures.append(Figure("no-op: CPU, of LangChain's", f"{share:.3f}", f"< {SHARE}", share < SHARE))
    for name in (NOTHING, RENAMED, COPIED, WIPED):
        embedded = ours[name]["embedded"]
        figures.append(Figure(f"{name}: embedded", f"{embedded}", "0", embedded == 0))
    for name in (EDITED, INSERTED):
        each = ours[name]["embedded"] / ours[name]["concerns"]
        figures.append(Figure(f"{name}: embedded a document", f"{each:.2f}", f"<= {CHUNKS:g}", each <= CHUNKS))
    left = ours[DELETED]["deleted_left"]
    figures.append(Figure(f"{DELETED}: documents left", f"{left}", "0", left == 0))
    kept = ours[WIPED]["rows"] == ours[DELETED]["rows"] and ours[COLD]["rows"] == 3 * documents
    figures.append(Figure(f"{WIPED}: passages back", f"{ours[WIPED]['rows']:,}", "all", kept))
    return figures


if __name__ == "__main__":
    main()
