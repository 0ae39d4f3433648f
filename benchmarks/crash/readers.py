"""Bar 3: a process asks for known documents while refreshes replace them all. Exit code 1 below a bar.

    python benchmarks/crash/readers.py [--refreshes 200] [--documents 50]

Every refresh finds each document rewritten: three passages, which all carry the document's name and the edition's
number. Meanwhile another process opens the published version anew for each question, as `saero search` does, and asks
for one document after another: through words and vectors, and for all rows of its place. An answer is mixed when its
passages are of more than one edition, and missing when a passage lacks, when the edition is older than the one that
was published before the question, or newer than the one that was written last.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]
sys.path.append(str(PROJECT / "benchmarks" / "dedup"))  # figures

from fakes import FakeEncoder  # noqa: E402
from figures import Figure  # noqa: E402
from team import Team  # noqa: E402

from pipelines.search import Wanted  # noqa: E402
from resources.reader import IndexReader  # noqa: E402
from resources.searcher import Searcher  # noqa: E402

_PASSAGES = 3
_WORDS = 40  # a passage holds 48, so that no two paragraphs share one


@dataclass
class Seen:
    """What a reader saw; `slowest` in seconds, from opening the index to the answer."""

    answers: int = 0
    editions: int = 0
    mixed: int = 0
    missing: int = 0
    failed: int = 0
    slowest: float = 0.0
    first_fault: str = ""

    def fault(self, said: str) -> None:
        self.first_fault = self.first_fault or said


def name(number: int) -> str:
    """Return what only the passages of a document say."""
    return f"DOC-{number:04}"


def page(number: int, edition: int) -> list[str]:
    """Return the paragraphs of a document's edition."""
    dice = random.Random(f"{number} {edition}")
    return [
        " ".join([name(number), f"판{edition}", f"쪽{part}", *(f"낱말{dice.randrange(10**6)}" for _ in range(_WORDS))])
        for part in range(_PASSAGES)
    ]


def read_on(index: Path, documents: int, written: Path, done: Path, seen: Seen) -> None:
    """Ask for one document after another until `done` stands; `written` holds "published written" editions."""
    while not written.exists():
        time.sleep(0.05)
    encoder, number, editions = FakeEncoder(), 0, set[int]()
    while not done.exists():
        number = (number + 1) % documents
        oldest = int(written.read_text().split()[0])
        begun = time.monotonic()
        try:
            found = _answers(index, encoder, number)
        except Exception as error:  # whatever it is, a reader must not see it
            seen.failed += 1
            seen.fault("".join(traceback.format_exception_only(error)).strip())
            continue
        if seen.answers:  # the first one loads Kiwi and Lance
            seen.slowest = max(seen.slowest, time.monotonic() - begun)
        newest = int(written.read_text().split()[1])
        for told in found:
            seen.answers += 1
            shown = {edition for edition, _ in told}
            editions |= shown
            if len(shown) > 1:
                seen.mixed += 1
                seen.fault(f"document {number}: editions {sorted(shown)}")
            elif len(told) != _PASSAGES or not oldest <= next(iter(shown), -1) <= newest:
                seen.missing += 1
                seen.fault(f"document {number}: {sorted(told)} between editions {oldest} and {newest}")
    seen.editions = len(editions)


def _answers(index: Path, encoder: FakeEncoder, number: int) -> list[set[tuple[int, int]]]:
    """Ask for a document in both ways; returns (edition, part) of its passages in each."""
    reader = IndexReader(index)
    path = f"{number:02}.md"
    wanted = Wanted(top_k=50, weak_too=True)
    ranking = Searcher(reader, encoder).search([name(number)], now=datetime.now(UTC), wanted=wanted)
    ranked = [result.row["text"] for result in ranking.results if result.row["path"] == path]
    rows = [row["text"] for row in reader.get(f"path = '{path}'")]
    return [{_marked(text) for text in texts} for texts in (ranked, rows)]


def _marked(text: str) -> tuple[int, int]:
    words = text.split()
    at = next(place for place, word in enumerate(words) if word.startswith("판"))
    return int(words[at].removeprefix("판")), int(words[at + 1].removeprefix("쪽"))


def play_readers(home: Path, refreshes: int, documents: int) -> Seen:
    """Refresh rewritten documents again and again beside a process that reads."""
    home.mkdir(parents=True, exist_ok=True)
    written, done, report = home / "editions", home / "done", home / "report.json"
    index = home / "team" / "state" / "index"
    reader = _beside(lambda seen: read_on(index, documents, written, done, seen), report)
    try:
        team = Team(home / "team", {"문서": ""})
        for edition in range(refreshes + 1):
            if edition:
                _tell(written, edition - 1, edition)
            _rewrite(team, documents, edition)
            team.night()
            _tell(written, edition, edition)
    finally:
        done.touch()
        _, status = os.waitpid(reader, 0)
    if status:
        raise SystemExit("the reader ended badly")
    return Seen(**json.loads(report.read_text(encoding="utf-8")))


def _beside(read: Callable[[Seen], None], report: Path) -> int:
    """Read in a process of its own, begun before any index is opened: Lance's threads don't survive a fork."""
    child = os.fork()
    if child:
        return child
    code, seen = 1, Seen()
    try:
        read(seen)
        report.write_text(json.dumps(asdict(seen)), encoding="utf-8")
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _rewrite(team: Team, documents: int, edition: int) -> None:
    for number in range(documents):
        team.write(f"문서/{number:02}.md", page(number, edition))


def _tell(written: Path, published: int, newest: int) -> None:
    aside = written.with_suffix(".aside")
    aside.write_text(f"{published} {newest}")
    aside.replace(written)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--refreshes", type=int, default=200)
    parser.add_argument("--documents", type=int, default=50)
    parser.add_argument("--folder", type=Path, help="where the team lives; a folder of its own when not given")
    said = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="saero-readers-", dir=said.folder))
    begun = time.monotonic()
    try:
        seen = play_readers(folder, said.refreshes, said.documents)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    figures = [
        Figure("refreshes that replace all documents", f"{said.refreshes}"),
        Figure("answers looked at", f"{seen.answers}"),
        Figure("  editions among them", f"{seen.editions}"),
        Figure("mixed answers", f"{seen.mixed}", "0", not seen.mixed),
        Figure("missing answers", f"{seen.missing}", "0", not seen.missing),
        Figure("questions that failed", f"{seen.failed}", "0", not seen.failed),
        Figure("slowest question, seconds", f"{seen.slowest:.2f}"),
    ]
    print(f"{said.documents} documents, {time.monotonic() - begun:.0f} s")
    print(*(figure.line() for figure in figures), sep="\n")
    if seen.first_fault:
        print("first fault: " + seen.first_fault)
    return int(any(figure.bar and not figure.met for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
