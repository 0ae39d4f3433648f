"""What a search costs whose process has just begun: bar 4 of search; exit code 1 below a bar.

    python benchmarks/retrieval/cold.py [--runs 5]

CPU of the child process, user and system, the median of interleaved runs: `saero search` and text mode over an index of
2,000 passages (what is loaded doesn't depend on its size), and the two libraries that a search can't do without, loaded
with our options. Both searches <= 3x those.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

PROJECT = Path(__file__).resolve().parents[2]
sys.path += [str(PROJECT), str(PROJECT / "benchmarks" / "dedup")]

from figures import Figure  # noqa: E402
from scale_index import SOURCES, build  # noqa: E402
from scale_vectors import clusters  # noqa: E402
from vectors import STATE  # noqa: E402

from resources.model import BUNDLED, encoder_identity, model_folder  # noqa: E402

SEED, CHUNKS, TIMES = 20261130, 2_000, 3.0
# pipelines/tokens.py loads Kiwi so.
BASE = (
    "import lance, kiwipiepy; kiwipiepy.Kiwi(num_workers=1, load_default_dict=False, load_typo_dict=False, "
    "load_multi_dict=False).tokenize('가')"
)


def prepare(folder: Path) -> str:
    """Write settings and a published index with the bundled encoder's id; returns a question it has words of."""
    state = folder / ".saero"
    state.mkdir()
    model_folder(BUNDLED, STATE / "models")
    (state / "models").symlink_to(STATE / "models")
    lines = []
    for name in SOURCES:
        (folder / name).mkdir()
        lines.append(f'[sources."{name}"]\npath = "{name}"\n')
    (folder / "saero.toml").write_text("\n".join(lines), encoding="utf-8")
    identity = encoder_identity(BUNDLED, state / "models")
    found = clusters(np.random.default_rng(SEED))
    built = build(state / "index", found, CHUNKS, questions=10, seed=SEED, encoder_id=identity)
    return built.questions[0]


def spent(command: list[str], folder: Path) -> tuple[float, float]:
    """Run a command; returns CPU and wall seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - began


def measure(folder: Path, runs: int) -> list[Figure]:
    """Run all commands in turn."""
    question = prepare(folder)
    search = [sys.executable, "-m", "saero.cli", "search", question, "--all", "--json"]
    commands = {
        "import lance, kiwipiepy; tokenize": [sys.executable, "-c", BASE],
        "saero search": search,
        "saero search --mode text": [*search, "--mode", "text"],
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for command in commands.values():
        spent(command, folder)  # the disk's cache, compiled modules
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(spent(command, folder))
    costs = {name: (median(cpu for cpu, _ in rows), median(wall for _, wall in rows)) for name, rows in found.items()}
    base = next(iter(costs.values()))[0]
    return [
        Figure(
            f"4 {name}, CPU s",
            f"{cpu:.2f} ({cpu / base:.2f} x)",
            f"<= {TIMES:.0f} x" if name.startswith("saero") else "",
            cpu <= TIMES * base,
            f"{wall:.2f} s from call to end",
        )
        for name, (cpu, wall) in costs.items()
    ]


def main() -> None:
    """Print the figures; exit code 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--runs", type=int, default=5)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="saero-cold-") as scratch:
        found = measure(Path(scratch), chosen.runs)
    print(*(figure.line() for figure in found), sep="\n")
    sys.exit(any(not figure.met for figure in found))


if __name__ == "__main__":
    main()
