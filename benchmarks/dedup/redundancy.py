"""Bar 6: what `saero redundancy` costs among 100,000 passages, what it finds, and what it calls covered wrongly.

    python benchmarks/dedup/redundancy.py [--whole]

The corpus is KorQuAD's distinct paragraphs, and noise: a paragraph's vector turned by an angle, its words shuffled.
1,000 passages are new, 400 of them planted: a paragraph edited, cut elsewhere, followed by the next one, or under a
heading. They are asked about by the command's own code over a ledger on disk, in a process of its own. Without KorQuAD
(korquad.py says where it is looked for) paragraphs and vectors are made, and the figures say nothing of the encoder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path[:0] = [str(Path(__file__).resolve().parents[2])]

from figures import Figure  # noqa: E402
from korquad import KINDS, Plant, distinct, encoded, paragraphs, plants  # noqa: E402

from pipelines.covers import by_cosine, find_covers  # noqa: E402
from pipelines.score import E5_SMALL  # noqa: E402
from pipelines.served import served  # noqa: E402
from resources.build import Saero, build  # noqa: E402
from resources.ledger import documents as document_store  # noqa: E402
from resources.ledger import passages as passage_store  # noqa: E402
from resources.ledger.rows import insert  # noqa: E402

PASSAGES, NEW, BODY = 100_000, 1_000, 10
# Plants of each kind that are encoded (redundancy_bar.py uses them all), and how many of them are planted.
EACH, PLANTED = 400, 100
# Cosine of a noise row to its paragraph: from strangers to what the bar takes for a duplicate; its words say otherwise.
NOISE = (0.80, 0.97)
START, DAY = datetime(2026, 1, 1, tzinfo=UTC), timedelta(days=1)
CPU_SECONDS, MEMORY_MB, FALSE_SHARE = 20.0, 1_000.0, 0.5
# What redundancy_bar.py promises of the bar: edits and headings all, cuts of up to 45 % five of six. A passage of two
# paragraphs is no duplicate of either, and covered only where one of them is the larger half: no bar.
RECALL = {"edited": 99.0, "recut": 80.0, "headed": 99.0}
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Stock:
    """Distinct paragraphs with their vectors, and plants of them with theirs."""

    made: bool
    texts: list[str]
    vectors: Vectors
    plants: list[Plant]
    plant_vectors: Vectors


def main() -> int:
    """Print the figures; 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--whole", action="store_true", help="also ask about all passages (minutes)")
    parser.add_argument("--measure", metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(_measure(Path(options.measure), options.whole)))
        return 0
    stock = _stock()
    if stock.made:
        print("KorQuAD isn't there: made paragraphs and vectors, which say nothing of the encoder")
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder), stock)
        figures = [*_figures(_apart(folder)), _false(stock)]
        if options.whole:
            cost = _apart(folder, "--whole")
            shown = f"{cost['cpu']:.0f} CPU s, {cost['memory_mb']:.0f} MB"
            figures.append(Figure(f"all {PASSAGES:,} against all", shown))
    for figure in figures:
        print(figure.line())
    return 0 if all(figure.met for figure in figures) else 1


def _figures(found: dict[str, Any]) -> list[Figure]:
    asked = f"{NEW:,} new against {PASSAGES:,}"
    cpu, memory, covered = found["cpu"], found["memory_mb"], found["covered"]
    return [
        Figure(f"{asked}: CPU", f"{cpu:.1f} s", f"< {CPU_SECONDS:.0f} s", cpu < CPU_SECONDS),
        Figure(
            f"{asked}: peak memory of the process", f"{memory:.0f} MB", f"< {MEMORY_MB:,.0f} MB", memory < MEMORY_MB
        ),
        *(_recall(kind, covered[kind]) for kind in KINDS),
        Figure("noise called covered", f"{covered['noise']} of {found['asked'] - len(KINDS) * PLANTED}"),
        Figure("documents named", f"{found['duplicates']} of {found['documents']} asked"),
    ]


def _recall(kind: str, count: int) -> Figure:
    share = 100 * count / PLANTED
    name, shown, least = f"planted and found: {kind}", f"{share:.0f} %", RECALL.get(kind)
    return Figure(name, shown) if least is None else Figure(name, shown, f">= {least:.0f} %", share >= least)


def _apart(folder: str, *more: str) -> dict[str, Any]:
    """Measure in a process of its own, which loads no model and makes no corpus."""
    call = [sys.executable, __file__, "--measure", folder, *more]
    done = subprocess.run(call, capture_output=True, text=True, encoding="utf-8", check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _measure(folder: Path, whole: bool) -> dict[str, Any]:
    """Ask about the new passages, or all; return cost and what was called covered."""
    import time

    from resources.redundancy import ask

    saero = build(str(folder / "saero.toml"))
    started = time.process_time()
    found = ask(saero, START + 3 * DAY, lambda row: whole or row["first_seen"] > START)
    cpu = time.process_time() - started
    kinds = dict(json.loads((folder / "kinds.json").read_text(encoding="utf-8")))
    new = [judged for judged in found.judged if judged.body in found.asked]
    hit = [found.served.chunk_ids[pair.passage] for judged in new for pair in judged.pairs]
    return {
        "cpu": cpu,
        "memory_mb": _peak_mb(),
        "covered": {**dict.fromkeys((*KINDS, "noise"), 0), **Counter(kinds.get(chunk, "noise") for chunk in hit)},
        "asked": sum(judged.passages for judged in new),
        "documents": len(new),
        "duplicates": sum(judged.verdict == "duplicate" for judged in new),
    }


def _peak_mb() -> float:
    """Return the most memory this process has held. Linux counts that of the parent before exec into ru_maxrss."""
    import resource

    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return int(status.partition("VmHWM:")[2].split()[0]) / 2**10


def _false(stock: Stock) -> Figure:
    """Say how many distinct paragraphs, each a document, are called covered by another one."""
    named = {hashlib.sha256(text.encode("utf-8")).hexdigest(): n for n, text in enumerate(stock.texts)}
    order = sorted(named)
    half = stock.vectors[[named[name] for name in order]].astype(np.float16)
    columns = served([(name[:32], name, name) for name in order], half)
    covers, _ = find_covers(
        columns, order, by_cosine(columns, _bar()), lambda rows: [stock.texts[named[order[row]]] for row in rows]
    )
    share = 100 * len(np.unique(covers.text)) / len(order)
    name = f"{len(order)} distinct paragraphs called covered"
    return Figure(name, f"{share:.2f} %", f"< {FALSE_SHARE} %", share < FALSE_SHARE)


def _bar() -> float:
    assert E5_SMALL.cosine_duplicate is not None
    return E5_SMALL.cosine_duplicate


def _stock() -> Stock:
    texts = paragraphs()
    if texts is None:
        return _made()
    vectors = encoded([text for _, text in texts], "paragraphs")
    every = plants(texts, EACH)
    planted = encoded([plant.text for plant in every], "plants")
    kept = distinct(texts)
    chosen = [
        n for kind in KINDS for n in [n for n, one in enumerate(every) if one.kind == kind and one.of in kept][:PLANTED]
    ]
    return Stock(False, [texts[n][1] for n in kept], vectors[kept], [every[n] for n in chosen], planted[chosen])


def _made() -> Stock:
    """Make paragraphs of shuffled syllables, and vectors with the cosines that KorQuAD's have."""
    dice, rng = random.Random(1), np.random.default_rng(1)
    words = ["".join(dice.choices("가나다라마바사아자차카타파하", k=dice.randint(2, 5))) for _ in range(5000)]
    texts = [("made", " ".join(dice.choices(words, k=120))) for _ in range(951)]
    every = plants(texts, PLANTED, seed=1)
    common = _unit(rng.normal(size=384))
    vectors = _unit(0.9 * common + 0.436 * _unit(rng.normal(size=(len(texts), 384))))  # two of them: .81
    near = {"edited": 0.99, "recut": 0.965, "longer": 0.97, "headed": 0.985}
    cosines = np.array([near[plant.kind] for plant in every])
    return Stock(
        True, [text for _, text in texts], vectors, every, _turned(vectors[[p.of for p in every]], cosines, rng)
    )


def _unit(rows: npt.NDArray[Any]) -> Vectors:
    found: Vectors = (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)
    return found


def _turned(rows: Vectors, cosines: npt.NDArray[Any], rng: np.random.Generator) -> Vectors:
    """Return unit rows with these cosines to `rows`, in a random direction."""
    drawn = rng.normal(size=rows.shape)
    aside = _unit(drawn - (drawn * rows).sum(axis=1, keepdims=True) * rows)
    return _unit(cosines[:, None] * rows + np.sqrt(1 - cosines[:, None] ** 2) * aside)


def _write(folder: Path, stock: Stock) -> None:
    """Write settings, a ledger of PASSAGES passages in documents of BODY, and which passages are planted."""
    (folder / "docs").mkdir()
    (folder / "saero.toml").write_text('state = "state"\n[sources.docs]\npath = "docs"\n', encoding="utf-8")
    saero = build(str(folder / "saero.toml"))
    saero.make_state()
    kinds: dict[str, str] = {}
    number = 0
    for texts, vectors, names in _parts(stock):
        for start in range(0, len(texts), BODY):
            planted = dict(enumerate(names[start : start + BODY]))
            kinds.update({_chunk(number + start + n): kind for n, kind in planted.items() if kind})
        _store(saero, number, texts, vectors)
        number += len(texts)
    (folder / "kinds.json").write_text(json.dumps(list(kinds.items())), encoding="utf-8")


def _parts(stock: Stock) -> Iterator[tuple[list[str], Vectors, list[str]]]:
    """Yield texts, vectors and kinds ("" for none): the paragraphs, noise, the plants, noise; whole documents each."""
    rng, dice = np.random.default_rng(6), random.Random(6)
    count = len(stock.texts) // BODY * BODY
    yield stock.texts[:count], stock.vectors[:count], [""] * count
    left = PASSAGES - NEW - count
    while left > 0:
        yield _noise(stock, min(left, 5_000), rng, dice)
        left -= 5_000
    yield [plant.text for plant in stock.plants], stock.plant_vectors, [plant.kind for plant in stock.plants]
    yield _noise(stock, NEW - len(stock.plants), rng, dice)


def _noise(
    stock: Stock, count: int, rng: np.random.Generator, dice: random.Random
) -> tuple[list[str], Vectors, list[str]]:
    of = rng.integers(0, len(stock.texts), count)
    words = [stock.texts[n].split(" ") for n in of]
    texts = [" ".join(dice.sample(one, len(one))) for one in words]
    return texts, _turned(stock.vectors[of], rng.uniform(*NOISE, count), rng), [""] * count


def _chunk(number: int) -> str:
    return f"{number:032x}"


def _store(saero: Saero, first: int, texts: Sequence[str], vectors: Vectors) -> None:
    """Add passages as the stages would; those from PASSAGES - NEW on were first seen a day later."""
    numbers = range(first, first + len(texts))
    hashes = [hashlib.sha256(f"{n}{text}".encode()).hexdigest() for n, text in zip(numbers, texts, strict=True)]
    bodies = sorted({n // BODY for n in numbers})
    seen = START if first < PASSAGES - NEW else START + DAY
    with saero.ledger.transaction("benchmark") as con:
        document_store.add(con, [_document(body, seen) for body in bodies])
        insert(con, "contents", [_content(body) for body in bodies])
        chunks = [
            {"chunk_id": _chunk(n), "body_hash": _body(n // BODY), "chunk_hash": name, "ordinal": n % BODY}
            for n, name in zip(numbers, hashes, strict=True)
        ]
        insert(con, "chunks", chunks)
        insert(con, "texts", [{"chunk_hash": name, "text": text} for name, text in zip(hashes, texts, strict=True)])
        passage_store.add_vectors(con, saero.query_encoder.encoder_id, hashes, vectors, START)


def _body(number: int) -> str:
    return f"{number:064x}"


def _document(body: int, seen: datetime) -> dict[str, Any]:
    return document_store.new_row(
        source="docs",
        path=f"{body}.md",
        size=1,
        mtime_ns=int(seen.timestamp() * 1e9),
        served_hash=_body(body),
        served_parser="1",
        body_hash=_body(body),
        first_seen=seen,
    )


def _content(body: int) -> dict[str, Any]:
    return {"content_hash": _body(body), "parser_version": "1", "has_text": True, "parsed_at": START}


if __name__ == "__main__":
    sys.exit(main())
