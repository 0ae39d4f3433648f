"""Paragraphs of KorQuAD 1.0, the same ones edited or cut elsewhere, and the bundled encoder's vectors of both.

KorQuAD isn't ours to pass on: it is read from SAERO_EVAL, or ../shared/eval beside the checkout. Vectors are encoded
once and kept in the temporary folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from resources.encoder import Encoder
from resources.model import BUNDLED

PROJECT = Path(__file__).resolve().parents[2]
CACHE = Path(tempfile.gettempdir()) / "redundancy"
Kind = Literal["edited", "recut", "longer", "headed"]
KINDS: tuple[Kind, ...] = ("edited", "recut", "longer", "headed")
RUN = 20
# Texts between two saved files: a minute of work, so that an interrupted run goes on.
_PART = 256


@dataclass(frozen=True, slots=True)
class Plant:
    """A true duplicate: the words of paragraph `of`, changed as `kind` says; `change` is the share that changed."""

    of: int
    kind: Kind
    change: float
    text: str


def paragraphs() -> list[tuple[str, str]] | None:
    """Return (title, text) of every distinct paragraph in the file's order, None without the file."""
    folder = Path(os.environ.get("SAERO_EVAL") or PROJECT.parent / "shared" / "eval")
    file = folder / "KorQuAD_v1.0_dev.json"
    if not file.is_file():
        return None
    articles = json.loads(file.read_text(encoding="utf-8"))["data"]
    found = {one["context"]: article["title"] for article in articles for one in article["paragraphs"]}
    return [(title, text) for text, title in found.items()]


def distinct(texts: Sequence[tuple[str, str]]) -> list[int]:
    """Return which paragraphs take no run of RUN words over from an earlier one.

    Wikipedia repeats itself: ten of its paragraphs stand in another article or version too, some of them edited, and
    are no distinct ones (runs of 27 to 306 words; any other two paragraphs share 15 at most).
    """
    owners: dict[tuple[str, ...], int] = {}
    found = []
    for n, (_, text) in enumerate(texts):
        words = text.split()
        runs = [tuple(words[start : start + RUN]) for start in range(max(len(words) - RUN + 1, 1))]
        if not any(run in owners for run in runs):
            found.append(n)
        owners.update((run, n) for run in runs if run not in owners)
    return found


def plants(texts: Sequence[tuple[str, str]], each: int, seed: int = 4) -> list[Plant]:
    """Return `each` plants of every kind, of paragraphs that are followed by another of their article.

    edited  .2 to 3 % of the words (at least one) are words of another paragraph
    recut   5 to 45 % of the words are cut off in front, and as many of the next paragraph follow
    longer  the next paragraph follows
    headed  under a heading path
    """
    dice = random.Random(seed)
    followed = [n for n in range(len(texts) - 1) if texts[n][0] == texts[n + 1][0]]
    return [_plant(kind, n, texts, dice) for kind in KINDS for n in dice.sample(followed, min(each, len(followed)))]


def _plant(kind: Kind, n: int, texts: Sequence[tuple[str, str]], dice: random.Random) -> Plant:
    words, after = texts[n][1].split(" "), texts[n + 1][1].split(" ")
    if kind == "edited":
        count = max(1, round(dice.uniform(0.002, 0.03) * len(words)))
        for place in dice.sample(range(len(words)), count):
            words[place] = dice.choice(after)
        return Plant(n, kind, count / len(words), " ".join(words))
    if kind == "recut":
        count = max(1, round(dice.uniform(0.05, 0.45) * len(words)))
        return Plant(n, kind, count / len(words), " ".join(words[count:] + after[:count]))
    if kind == "longer":
        return Plant(n, kind, 0.0, " ".join(words + after))
    return Plant(n, kind, 0.0, f"{texts[n][0].replace('_', ' ')} > {dice.choice(after)}\n{texts[n][1]}")


def forms(texts: Sequence[tuple[str, str]], each: int, share: float, seed: int = 5) -> list[tuple[str, str]]:
    """Return pairs of different texts on a form of up to 60 words, which is `share` of either."""
    dice = random.Random(seed)
    words = [text.split(" ") for _, text in texts]
    pairs: list[tuple[str, str]] = []
    while len(pairs) < each:
        form, one, other = dice.sample(words, 3)
        form = form[:60]
        rest = round(len(form) * (1 - share) / share)
        if min(len(one), len(other)) >= rest:
            pairs.append((" ".join(form + one[:rest]), " ".join(form + other[:rest])))
    return pairs


def encoded(texts: Sequence[str], say: str) -> npt.NDArray[np.float32]:
    """Return (n, 384) unit vectors of the bundled encoder, in the order of `texts`."""
    encoder = Encoder(BUNDLED, CACHE / "models")
    rows = [_part(texts[start : start + _PART], encoder, f"{say} {start}/{len(texts)}") for start in _starts(texts)]
    return np.concatenate(rows)


def _starts(texts: Sequence[str]) -> Iterator[int]:
    yield from range(0, len(texts), _PART)


def _part(texts: Sequence[str], encoder: Encoder, say: str) -> npt.NDArray[np.float32]:
    key = hashlib.sha256("\0".join([encoder.encoder_id, *texts]).encode("utf-8")).hexdigest()[:16]
    file = CACHE / f"{key}.npy"
    if not file.exists():
        print(f"encoding {say}", flush=True)
        CACHE.mkdir(parents=True, exist_ok=True)
        partly = file.with_suffix(".part.npy")
        np.save(partly, encoder.embed_passages(list(texts)))
        partly.rename(file)
    found: npt.NDArray[np.float32] = np.load(file)
    return found
