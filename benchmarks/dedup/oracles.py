"""Bar 4: pairs whose likeness is known by definition, and behaviours that must never change.

    python benchmarks/dedup/oracles.py

Real files, read by the real parsers and compared by `saero duplicates DIR --json`. The numbers of 5-grams and the kind
of change are those of a public tool's fixtures; the texts are our own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

PROJECT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(PROJECT), str(PROJECT / "tests")]

import oracle_texts as texts  # noqa: E402
from brute import truth  # noqa: E402
from figures import Figure  # noqa: E402
from generator import Prose, edited  # noqa: E402
from hwp5_writer import write_hwp  # noqa: E402
from office_makers import grid, make_docx, make_pdf, make_scan_pdf  # noqa: E402
from sheet_makers import make_xlsx  # noqa: E402

from pipelines.grams import folded  # noqa: E402
from pipelines.records import Block  # noqa: E402
from pipelines.signature import estimate  # noqa: E402
from pipelines.sketch import common_grams, sketches  # noqa: E402
from pipelines.verify import edges_among  # noqa: E402

Report = dict[str, Any]
EARLY, LATE = datetime(2026, 3, 2, 9, tzinfo=UTC), datetime(2026, 6, 1, 9, tzinfo=UTC)
# What a scan leaves out, and one that only sounds like it.
VENDOR, KEPT = ("node_modules/pkg", ".git", "build"), "my_build_notes"
SIBLINGS, SHARED_LINES, OWN_LINES = 8, 93, 7


@dataclass(frozen=True, slots=True)
class Pair:
    """Two files of the folder: 5-grams of each, how many they share, and what that makes them (None: no pair)."""

    name: str
    a: str
    b: str
    n_a: int
    n_b: int
    shared: int
    kind: str | None

    @property
    def jaccard(self) -> float:
        """By definition."""
        return self.shared / (self.n_a + self.n_b - self.shared)


PAIRS = (
    Pair("proposal, one digit (.docx): .9497", "제안/제안서.docx", "제안/제안서_고침.docx", 194, 194, 189, "near"),
    Pair("minutes, one digit (.pdf): .9167", "회의/minutes.pdf", "회의/minutes_2.pdf", 115, 115, 110, "near"),
    Pair("one cell (.hwp): .9270", "운영/운영계획.hwp", "운영/운영계획_2.hwp", 132, 132, 127, "near"),
    Pair("one cell (.xlsx): .9159", "비용/비용.xlsx", "비용/비용_2.xlsx", 104, 101, 98, "near"),
    Pair("draft and 5 lines (.txt): .4474", "배치/배치_초안.txt", "배치/배치_최종.txt", 153, 342, 153, "contains"),
    Pair("draft in 30 appendices (.txt): .4741", "부록/이전_초안.txt", "부록/이전_최종.txt", 256, 540, 256, "contains"),
    Pair("chain, 1st and 2nd (.md): .9274", "열람/안내_1.md", "열람/안내_2.md", 238, 240, 230, "near"),
    Pair("chain, 2nd and 3rd (.md): .8976", "열람/안내_2.md", "열람/안내_3.md", 240, 242, 228, None),
    Pair("chain, 1st and 3rd (.md): .8321", "열람/안내_1.md", "열람/안내_3.md", 238, 242, 218, None),
)


@cache
def _drawn(name: str) -> str:
    """Return some prose of its own for each name, on one line."""
    return Prose(sum(name.encode("utf-8"))).text(1500).replace("\n", " ")


@cache
def _touched(name: str) -> str:
    """Return the same prose with two words changed: near."""
    return edited(Prose(len(name)), _drawn(name), 0.01)


def _docx(*lines: str, at: datetime, author: str = "") -> bytes:
    return make_docx([Block("paragraph", line) for line in lines], author=author, modified=at)


def _hwp(shelves: str, at: datetime) -> bytes:
    table = grid([["구분", "수량"], ["서가", f"{shelves} 개"], ["책상", "18 개"], ["접이 사다리", ""]])
    paragraphs = [Block("paragraph", line) for line in texts.RULES]
    return write_hwp([*paragraphs, table], title="", author="", modified=at)


def _xlsx(desks: str, at: datetime) -> bytes:
    rows = [(name, desks if name == "책상" else cost) for name, cost in texts.COSTS]
    return make_xlsx({"비용": rows}, modified=at)


def _pdf(*lines: str, at: datetime) -> bytes:
    return make_pdf([Block("paragraph", line) for line in lines], modified=at)


def _lines(lines: texts.Lines, end: str = "\n") -> bytes:
    return end.join(lines).encode("utf-8")


def files() -> dict[str, tuple[bytes, datetime]]:
    """Return path -> content and the time of the file."""
    corrected = texts.changed(texts.PROPOSAL, "4,100", "4,600")
    made = {
        "제안/제안서.docx": (_docx(*texts.PROPOSAL, at=EARLY), EARLY),
        "제안/제안서_다시저장.docx": (_docx(*texts.PROPOSAL, at=LATE, author="김"), LATE),
        "제안/제안서_고침.docx": (_docx(*corrected, at=LATE), LATE),
        "회의/minutes.pdf": (_pdf(*texts.MINUTES, at=EARLY), EARLY),
        "회의/minutes_2.pdf": (_pdf(*texts.changed(texts.MINUTES, "14", "17"), at=LATE), LATE),
        "회의/알림.pdf": (_pdf(_drawn("알림"), at=LATE), LATE),
        "운영/운영계획.hwp": (_hwp("64", EARLY), EARLY),
        "운영/운영계획_2.hwp": (_hwp("65", LATE), LATE),
        "비용/비용.xlsx": (_xlsx("1,920", EARLY), EARLY),
        "비용/비용_2.xlsx": (_xlsx("1,690", LATE), LATE),
        "배치/배치_초안.txt": (_lines(texts.DRAFT), EARLY),
        "배치/배치_초안_창.md": (_lines(texts.DRAFT, "\r\n"), EARLY),
        "배치/배치_최종.txt": (_lines([*texts.DRAFT, *texts.ENCLOSURES]), LATE),
        "부록/이전_초안.txt": (_lines(texts.LONG_DRAFT), EARLY),
        "부록/이전_최종.txt": (_lines([*texts.LONG_DRAFT, *texts.APPENDICES]), LATE),
        "열람/안내_1.md": (_lines(texts.READING_ROOM), EARLY),
        "열람/안내_2.md": (_lines(texts.SECOND_READING_ROOM), EARLY),
        "열람/안내_3.md": (_lines(texts.THIRD_READING_ROOM), LATE),
        "지침/지침_v1.txt": (_drawn("지침").encode("utf-8"), LATE),
        "지침/지침_v3.txt": (_touched("지침").encode("utf-8"), EARLY),
        "보고/보고 - 복사본.docx": (_docx(_drawn("보고"), at=LATE), LATE),
        "보고/보고_최종.docx": (_docx(_touched("보고"), at=EARLY), EARLY),
        "동시/하나.docx": (_docx(_drawn("동시"), at=EARLY), EARLY),
        "동시/둘.docx": (_docx(_touched("동시"), at=EARLY), LATE),
        "빈/하나.txt": (b"\n", EARLY),
        "빈/둘.txt": (b"  \n\n", EARLY),
        "스캔/하나.pdf": (make_scan_pdf(1), EARLY),
        "스캔/둘.pdf": (make_scan_pdf(1), LATE),
        "스캔/셋.pdf": (make_scan_pdf(2), EARLY),
        "깨진.pdf": (b"%PDF-1.4\nno document", EARLY),
        "따로.txt": ("점심에는 비빔밥을 먹고 강가를 걸었다. 저녁에는 일찍 잤다.".encode(), EARLY),
        f"{KEPT}/메모.txt": (_drawn("메모").encode("utf-8"), EARLY),
        "메모/메모.txt": (_drawn("메모").encode("utf-8"), EARLY),
        **{f"{folder}/메모.txt": (_drawn("메모").encode("utf-8"), EARLY) for folder in VENDOR},
    }
    return made | {f"서식/서식_{n}.txt": (text.encode("utf-8"), EARLY) for n, text in enumerate(siblings())}


@cache
def siblings() -> tuple[str, ...]:
    """Return texts on one template: 93 lines that all have, 7 of their own in their places."""
    prose = Prose(93)
    template = [" ".join(prose.words(6)) for _ in range(SHARED_LINES)]
    found = []
    for _ in range(SIBLINGS):
        lines = list(template)
        for place in range(OWN_LINES):
            lines.insert(13 * (place + 1), " ".join(prose.words(6)))
        found.append("\n".join(lines))
    return tuple(found)


def write(root: Path) -> Path:
    """Write the folder and set the times of its files."""
    for name, (content, when) in files().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (when.timestamp(), when.timestamp()))
    return root


def report(root: Path) -> Report:
    """Run the command as a person does."""
    said = subprocess.run(
        [sys.executable, "-m", "saero.cli", "duplicates", str(root), "--json"],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=True,
    ).stdout
    found: Report = json.loads(said)
    return found


def edge(found: Report, a: str, b: str) -> dict[str, Any] | None:
    """Return the edge between two files, turned so that it begins with `a`."""
    for family in found["families"]:
        for one in family["edges"]:
            if (one["a"]["path"], one["b"]["path"]) == (a, b):
                return dict(one)
            if (one["a"]["path"], one["b"]["path"]) == (b, a):
                turned = {
                    "containment_a_in_b": one["containment_b_in_a"],
                    "containment_b_in_a": one["containment_a_in_b"],
                }
                return {**one, "a": one["b"], "b": one["a"], **turned}
    return None


def family(found: Report, path: str) -> dict[str, Any]:
    """Return the family of a file, an empty one if it has none."""
    for one in found["families"]:
        if path in members(one):
            return dict(one)
    return {"members": [], "edges": [], "label": "", "latest": None, "confidence": None}


def members(one: dict[str, Any]) -> list[str]:
    """Return the paths of a family."""
    return [member["path"] for member in one["members"]]


def as_defined(found: Report, pair: Pair) -> bool:
    """Tell whether the command says of a pair what its numbers of 5-grams say."""
    one = edge(found, pair.a, pair.b)
    if one is None or pair.kind is None:
        return one is None and pair.kind is None
    wanted = pair.jaccard, pair.shared / pair.n_a, pair.shared / pair.n_b
    said = one["jaccard"], one["containment_a_in_b"], one["containment_b_in_a"]
    return one["kind"] == pair.kind and all(abs(a - b) < 0.00005 for a, b in zip(wanted, said, strict=True))


def _latest(found: Report, path: str) -> tuple[str, float]:
    one = family(found, path)
    return (one["latest"] or {}).get("path", ""), one["confidence"]


def _siblings_merge_at_less(found: Report) -> bool:
    named = {f"{number}": text for number, text in enumerate(siblings())}
    with patch("pipelines.near.CONTAINS", 0.90):
        merged = edges_among(named)
    return len(merged) == SIBLINGS * (SIBLINGS - 1) // 2 and not edges_among(named)


def _estimate_decides_nothing(found: Report) -> bool:
    """Look for a near pair that is estimated below the bar and one that is none and estimated above it."""
    seen = set()
    for one, other, jaccard in _around_the_bar():
        signature = sketches([folded(one), folded(other)], common_grams([])).signature
        guessed, true = estimate(signature[0], signature[1]) >= 0.90, jaccard >= 0.90
        if any(edge.kind == "near" for edge in edges_among({"1": one, "2": other})) != true:
            return False
        seen.add((guessed, true))
    return {(True, False), (False, True)} <= seen


def _around_the_bar() -> Iterator[tuple[str, str, float]]:
    prose = Prose(90)
    for _ in range(60):
        one = prose.text(900)
        other = edited(prose, one, 0.035)
        edges = truth([one, other]).edges
        yield one, other, next(iter(edges.values()))[1] if edges else 0.0


BEHAVIOURS: dict[str, Callable[[Report], bool]] = {
    "template siblings, 93 lines shared and 7 own, are no family": lambda found: (
        not family(found, "서식/서식_0.txt")["members"]
    ),
    "the same siblings all merge at contains .90": _siblings_merge_at_less,
    "a plain addition is contained, with its direction": lambda found: (
        (edge(found, "배치/배치_초안.txt", "배치/배치_최종.txt") or {}).get("containment_a_in_b") == 1.0
    ),
    "exact and near together make a mixed family": lambda found: family(found, "제안/제안서.docx")["label"] == "mixed",
    "the estimate decides nothing, on either side of the bar": _estimate_decides_nothing,
    "an exact pair has its edge": lambda found: (
        (edge(found, "제안/제안서.docx", "제안/제안서_다시저장.docx") or {}).get("kind") == "exact"
    ),
    "empty files are no family": lambda found: not family(found, "빈/하나.txt")["members"],
    "scans are one only with equal bytes": lambda found: (
        sorted(members(family(found, "스캔/하나.pdf"))) == ["스캔/둘.pdf", "스캔/하나.pdf"]
    ),
    "a later v1 goes before an older v3": lambda found: _latest(found, "지침/지침_v3.txt") == ("지침/지침_v1.txt", 0.9),
    "a later copy goes before an older 최종": lambda found: (
        _latest(found, "보고/보고_최종.docx") == ("보고/보고 - 복사본.docx", 0.9)
    ),
    "a tie is .5 sure": lambda found: family(found, "동시/하나.docx")["confidence"] == 0.5,
    "line ends make no difference": lambda found: (
        (edge(found, "배치/배치_초안.txt", "배치/배치_초안_창.md") or {}).get("kind") == "exact"
    ),
    "a document that says something else is alone": lambda found: not family(found, "따로.txt")["members"],
    "a broken PDF is listed and the rest is read": lambda found: (
        [one["category"] for one in found["errors"] if one["path"] == "깨진.pdf"] == ["damaged"]
        and all(one["path"] != "회의/알림.pdf" for one in found["errors"])
        and len(found["families"]) > 5
    ),
    "folders of programs are left out by whole name": lambda found: (
        sorted(members(family(found, "메모/메모.txt"))) == [f"{KEPT}/메모.txt", "메모/메모.txt"]
    ),
}


def figures(scratch: Path) -> list[Figure]:
    """Return how many pairs and behaviours are as they must be."""
    root = write(scratch / "oracles")
    found, again = report(root), report(root)
    wrong = [pair.name for pair in PAIRS if not as_defined(found, pair)]
    broken = [name for name, holds in BEHAVIOURS.items() if not holds(found)]
    pairs, behaviours = len(PAIRS), len(BEHAVIOURS)
    return [
        Figure("4 oracles", f"{pairs - len(wrong)}/{pairs}", "all", not wrong, "; ".join(wrong)),
        Figure("4 behaviours", f"{behaviours - len(broken)}/{behaviours}", "all", not broken, "; ".join(broken)),
        Figure("4 a second run says the same", "same" if found == again else "differs", "same", found == again),
    ]


def main() -> None:
    """Print the figures; exit code 1 below a bar."""
    with tempfile.TemporaryDirectory(prefix="saero-dedup-") as scratch:
        found = figures(Path(scratch))
    for figure in found:
        print(figure.line())
    sys.exit(any(not figure.met for figure in found))


if __name__ == "__main__":
    main()
