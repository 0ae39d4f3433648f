"""Refresh the example corpus twice, then once more after a rename, a copy and a deletion, by the real command line.

    python benchmarks/second_refresh.py [--json FILE]

Bars: the second refresh embeds nothing, adds and removes no passage, opens no file and ends with 0; after the changes
nothing is embedded, the deleted document is gone, and a refresh after that is quiet again. Exit code 1 below a bar.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus_copy import PROJECT, copy_corpus, environment

# A file that was written within the clock's grain (2 s) before it was read is hashed once more the next time.
GRAIN_SECONDS = 2.5


@dataclass(frozen=True, slots=True)
class Refresh:
    """One `saero refresh --json`: exit code, what it said, and how long the command took."""

    name: str
    code: int
    said: dict[str, Any]
    seconds: float

    @property
    def quiet(self) -> bool:
        """Nothing embedded, no passage added or removed, no file opened."""
        chunks = self.said["chunks"]
        return self.code == 0 and not (
            self.said["embedded"] or chunks["added"] or chunks["removed"] or self.said["opened"]
        )


def refresh(name: str, settings: Path) -> Refresh:
    """Run the command as a person does."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "saero.cli", "refresh", "--json"],
        cwd=PROJECT,
        env=environment(settings),
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    if not done.stdout:
        sys.exit(f"{name} refresh: exit code {done.returncode}, nothing said")
    return Refresh(name, done.returncode, json.loads(done.stdout), time.perf_counter() - start)


def change(corpus: Path) -> None:
    """Rename a document, copy one into another source, delete one."""
    renamed = corpus / "개발" / "SLA_기준.pdf"
    renamed.rename(renamed.with_name("가용률_기준.pdf"))
    shutil.copy2(corpus / "정책" / "계정관리_지침.txt", corpus / "개발")
    (corpus / "개발" / "Webhook_Guide.md").unlink()


def missed(first: Refresh, second: Refresh, third: Refresh, fourth: Refresh) -> list[str]:
    """Return the bars that were not met."""
    bars = {
        "the first refresh publishes": first.code == 0 and first.said["published"] and first.said["embedded"] > 0,
        "the second refresh does nothing": second.quiet,
        "rename, copy and deletion embed nothing": third.code == 0 and third.said["embedded"] == 0,
        "the deleted document is gone": third.said["documents"]["gone"] == 1 and third.said["chunks"]["removed"] > 0,
        "the rename and the copy are seen": (third.said["documents"]["renamed"], third.said["documents"]["new"])
        == (1, 1),
        "the refresh after that does nothing": fourth.quiet,
    }
    return [name for name, met in bars.items() if not met]


def main() -> None:
    """Run the four refreshes and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = copy_corpus(Path(folder))
        time.sleep(GRAIN_SECONDS)
        runs = [refresh("first", settings), refresh("second", settings)]
        change(Path(folder) / "examples" / "corpus")
        time.sleep(GRAIN_SECONDS)
        runs += [refresh("third (renamed, copied, deleted)", settings), refresh("fourth", settings)]
    print(f"{'refresh':34} exit embedded  added removed opened  stages s  command s")
    for run in runs:
        chunks, stages = run.said["chunks"], sum(run.said["seconds"].values())
        print(
            f"{run.name:34} {run.code:4} {run.said['embedded']:8} {chunks['added']:6} {chunks['removed']:7} "
            f"{run.said['opened']:6} {stages:9.1f} {run.seconds:10.1f}"
        )
    failed = missed(*runs)
    if arguments.json:
        figures = [
            {"refresh": run.name, "exit": run.code, "seconds": round(run.seconds, 1), **run.said} for run in runs
        ]
        arguments.json.write_text(json.dumps(figures, ensure_ascii=False, indent=1), encoding="utf-8")
    for name in failed:
        print(f"missed: {name}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
