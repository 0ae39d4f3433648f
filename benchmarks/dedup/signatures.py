"""The table of bar 2: what a signature of 128 values costs with datasketch, with rensa and with ours, in one run.

CPU milliseconds a document of one thread, from the folded text and from 5-grams that are ready as 64-bit numbers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1])]

from pipelines.grams import folded, grams  # noqa: E402
from pipelines.sketch import sketches  # noqa: E402

REQUIREMENTS = HERE.parent / "peers" / "rensa.txt"
PERMUTATIONS = 128
NO_LIST = np.empty(0, np.uint64)


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU ms a document; None where the tool offers no such way."""

    tool: str
    from_text: float | None
    ready: float | None


def cheapest(work: Callable[[], object], count: int, times: int = 3) -> float:
    """Return CPU ms for each of `count` documents, the cheapest of some runs: others are at work on the machine."""
    spent = []
    for _ in range(times):
        started = time.process_time()
        work()
        spent.append(time.process_time() - started)
    return min(spent) / count * 1000


def ours(texts: Sequence[str]) -> float:
    """Return CPU ms a document for all of the text work: folding, 5-grams, signature, bands."""
    return cheapest(lambda: sketches([folded(text) for text in texts], NO_LIST), len(texts))


def costs(texts: Sequence[str], venvs: Path) -> list[Cost]:
    """Compare the tools on the same texts; datasketch, which takes seconds, is given fewer of them."""
    plain = [folded(text) for text in texts]
    few = plain[: max(10, len(plain) // 20)]
    ready = [grams(text) for text in few]
    return [
        Cost("datasketch bulk", cheapest(lambda: _datasketch_bulk(few), len(few), 1), None),
        Cost("datasketch, given numbers", None, cheapest(lambda: _datasketch_ready(ready), len(ready), 1)),
        _rensa(plain, venvs),
        Cost("ours (with bands)", cheapest(lambda: sketches(plain, NO_LIST), len(plain)), None),
    ]


def _datasketch_bulk(texts: Sequence[str]) -> object:
    from datasketch import MinHash

    sets = [{text[place : place + 5].encode("utf-8") for place in range(len(text) - 4)} for text in texts]
    return MinHash.bulk(sets, num_perm=PERMUTATIONS)


def _datasketch_ready(ready: Sequence[np.ndarray]) -> object:
    """Take 5-grams that are hashed already, an array at once: the fastest way in that datasketch has."""
    from datasketch import MinHash

    made = []
    for hashes in ready:
        sketch = MinHash(num_perm=PERMUTATIONS, hashfunc=lambda value: value)
        sketch.update_batch(hashes)
        made.append(sketch)
    return made


def _rensa(texts: Sequence[str], venvs: Path) -> Cost:
    python, problem = _installed(venvs)
    if problem:
        return Cost(f"rensa: {problem}", None, None)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "texts.json"
        file.write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")
        said = subprocess.run(
            [str(python), str(HERE / "rensa_child.py"), str(file)],
            env={**os.environ, "RAYON_NUM_THREADS": "1", "PYTHONPATH": ""},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        ).stdout
    return Cost("rensa", **json.loads(said))


def _installed(venvs: Path) -> tuple[Path, str]:
    """Make rensa's environment unless it stands there; returns its interpreter, and why it can't be had."""
    place, wanted = venvs / "rensa", REQUIREMENTS.read_text(encoding="utf-8")
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = place / "installed.txt"
    if done.is_file() and done.read_text(encoding="utf-8") == wanted:
        return python, ""
    venv.create(place, with_pip=True, clear=True)
    ended = subprocess.run(
        [str(python), "-m", "pip", "install", "-q", "-r", str(REQUIREMENTS)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if ended.returncode:
        return python, "can't be installed here"
    done.write_text(wanted, encoding="utf-8")
    return python, ""


def table(size: int, found: Sequence[Cost]) -> str:
    """Draw the tools below each other."""
    lines = [f"{f'signature, {size} B, CPU ms a document':44}{'from text':>12}{'given numbers':>16}"]
    for cost in found:
        cells = ("-" if value is None else f"{value:.3f}" for value in (cost.from_text, cost.ready))
        lines.append(f"  {cost.tool:42}{next(cells):>12}{next(cells):>16}")
    return "\n".join(lines)
