"""Small documents in a folder and what a day does to them, the same for each tool. Needs numpy alone."""

from __future__ import annotations

import hashlib
import json
import random
import resource
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

COLD, NOTHING, EDITED, INSERTED = "cold", "no-op", "1 % edited", "1 % with a new first paragraph"
RENAMED, COPIED, DELETED, WIPED = "100 renamed", "100 copied", "100 deleted", "store wiped"
LAPS = (COLD, NOTHING, EDITED, INSERTED, RENAMED, COPIED, DELETED, WIPED)
DIMENSION = 384
_FEW = 100
_FIRST, _SECOND = "가나다라마바사아자차카타파하", "강문서정보사업계획보고안"
_WORDS = [first + second + third for first in _FIRST for second in _SECOND for third in _SECOND[:6]]


def begin(folder: Path, count: int, paragraphs: int = 3) -> None:
    """Write `count` documents: a heading and some paragraphs of 30 words, about 450 characters when there are three."""
    for number in range(count):
        path = _path(folder, number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_document(number, paragraphs), encoding="utf-8")


def change(lap: str, folder: Path, count: int) -> int:
    """Do to the folder what comes before a lap; returns how many documents it concerns."""
    if lap == EDITED:
        chosen = range(0, count, 100)
        for number in chosen:
            lines = _path(folder, number).read_text(encoding="utf-8").split("\n\n")
            lines[-1] = f"고쳤다 {lines[-1]}"
            _path(folder, number).write_text("\n\n".join(lines), encoding="utf-8")
        return len(chosen)
    if lap == INSERTED:
        chosen = range(1, count, 100)
        for number in chosen:
            head, rest = _path(folder, number).read_text(encoding="utf-8").split("\n\n", 1)
            _path(folder, number).write_text(f"{head}\n\n{_paragraph(count + number)}\n\n{rest}", encoding="utf-8")
        return len(chosen)
    spread = range(2, count, count // _FEW)[:_FEW]
    if lap == RENAMED:
        for number in spread:
            _path(folder, number).rename(folder / f"이름을 바꾼 문서 {number}.md")
    elif lap == COPIED:
        for number in spread:
            shutil.copyfile(_path(folder, number + 1), folder / f"옮겨 적은 문서 {number}.md")
    elif lap == DELETED:
        for path in deleted(folder, count):
            path.unlink()
    else:
        return 0
    return len(spread)


def deleted(folder: Path, count: int) -> list[Path]:
    """Return the documents that the lap of deletions takes away."""
    return [_path(folder, number + 2) for number in range(2, count, count // _FEW)[:_FEW]]


def embed(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return a unit vector of each text, drawn from its hash: it costs the same for each tool."""
    made = np.empty((len(texts), DIMENSION), np.float32)
    for number, text in enumerate(texts):
        seed = int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "little")
        made[number] = np.random.default_rng(seed).standard_normal(DIMENSION)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


class Laps:
    """What each lap costs, printed as a line of JSON: CPU and wall seconds, peak MB so far, texts embedded, rows left.

    `embedded` counts the texts given to the encoder since the lap began; workers' CPU counts too.
    """

    def __init__(self) -> None:
        self.embedded = 0

    def vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Encode and count."""
        self.embedded += len(texts)
        return embed(texts)

    def lap(self, name: str, work: Callable[[], object], look: Callable[[], dict[str, Any]], **said: Any) -> None:
        """Time `work`, then say what `look` finds; `said` is printed as it is."""
        self.embedded, wall, used = 0, time.perf_counter(), cpu()
        work()
        spent = {"wall": time.perf_counter() - wall, "cpu": cpu() - used}
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"lap": name, **spent, "peak": peak, "embedded": self.embedded, **look(), **said}), flush=True)


def cpu() -> float:
    """Return CPU seconds so far, of workers that ended too."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _path(folder: Path, number: int) -> Path:
    return folder / f"{number // 500:03}" / f"문서 {number}.md"


def _document(number: int, paragraphs: int) -> str:
    return f"# 문서 {number}\n\n" + "\n\n".join(_paragraph(number * 10 + place) for place in range(paragraphs)) + "\n"


def _paragraph(seed: int) -> str:
    return " ".join(random.Random(seed).choices(_WORDS, k=30)) + "."
