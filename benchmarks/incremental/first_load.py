"""Bar 6 of refreshing: a first load that lasts for hours answers early, and a kill costs none of it.

    python benchmarks/incremental/first_load.py [--documents 20000] [--publish-every PT30M]

Documents of 150 words (corpus.py), an encoder slowed to 1,000 tokens a second by a clock that it puts forward
(first_load_child.py). The first run is killed when 40 % of the passages are made, and a second one goes on.

words       full text is published, and finds a passage by its words, within a tenth of the time of the whole load
batches     each publication has more vectors than the one before, and no fewer rows
no repeats  no vector that was stored is made again after the kill
whole       at the end every passage has its vector
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "dedup"), str(HERE)]

from corpus import begin  # noqa: E402
from figures import Figure  # noqa: E402

SHARE, PARAGRAPHS, KILLED_AT = 0.1, 5, 0.4
Line = dict[str, Any]


def main() -> None:
    """Measure, print, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--documents", type=int, default=20_000)
    options.add_argument("--publish-every", default="PT30M")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="saero-first-load-") as scratch:
        home = Path(scratch)
        begin(home / "docs", chosen.documents, PARAGRAPHS)
        settings = f'[sources."문서"]\npath = "docs"\n[schedule]\npublish_every = "{chosen.publish_every}"\n'
        (home / "saero.toml").write_text(f'state = "state"\n{settings}', encoding="utf-8")
        killed = _run(home, int(KILLED_AT * chosen.documents))
        resumed = _run(home)
        made = Counter((home / "made.txt").read_text(encoding="utf-8").split())
    for name, lines in (("until it was killed", killed), ("resumed", resumed)):
        print(name, *(f"  {line}" for line in lines), sep="\n")
    found = figures(killed, resumed, made)
    print("", *(figure.line() for figure in found), sep="\n")
    missed = sum(not figure.met for figure in found)
    print(f"\n{missed} of {len(found)} bars missed")
    sys.exit(1 if missed else 0)


def _run(home: Path, die_after: int | None = None) -> list[Line]:
    """Play one run in a process of its own; returns what it told."""
    command = [sys.executable, str(HERE / "first_load_child.py"), str(home), str(home / "made.txt")]
    environment = {**os.environ, "PYTHONPATH": f"{HERE}{os.pathsep}{HERE.parents[1]}"}
    ended = subprocess.run(
        [*command, *([str(die_after)] if die_after else [])],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=die_after is None,
    )
    return [json.loads(line) for line in ended.stdout.splitlines() if line.startswith('{"')]


def figures(killed: list[Line], resumed: list[Line], made: Counter[str]) -> list[Figure]:
    """Hold what was told to the bars."""
    publications = [line for line in (*killed, *resumed) if "published" in line]
    first, last = publications[0], publications[-1]
    # What the killed run had reached is as old as its last word; the rest is a run of its own.
    whole = killed[-1]["published"] + resumed[-1]["ended"]
    share = first["published"] / whole
    growing = all(
        after["rows"] >= before["rows"] and after["vectors"] > before["vectors"]
        for before, after in pairwise(publications)
    )
    again = sum(count - 1 for count in made.values())
    count, left = len(publications), last["rows"] - last["vectors"]
    early = share <= SHARE and first["found"]
    return [
        Figure("words found after, of the whole time", f"{share:.3f}", f"<= {SHARE}", early),
        Figure("publications, each with more vectors", f"{count}", "> 2", growing and count > 2),
        Figure("vectors made again", f"{again} of {sum(made.values()):,}", "0", again == 0),
        Figure("passages without a vector at the end", f"{left}", "0", left == 0 and last["rows"] > 0),
    ]


if __name__ == "__main__":
    main()
