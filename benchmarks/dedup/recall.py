"""Bar 1: near and contained pairs found against brute force over all pairs, false edges, candidates per document.

    python benchmarks/dedup/recall.py [--only 800 20000]

Three corpora of 6,000 documents of 800 bytes, one of 2,200 of 20 kB: as many as the product makes a list of common
5-grams for, from a sample of the corpus. Folding, sketches, candidates and verification are the product's own.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2])]

from brute import Truth, truth  # noqa: E402
from figures import Figure  # noqa: E402
from generator import SEED, Document, corpus  # noqa: E402

from pipelines.body import squeeze  # noqa: E402
from pipelines.candidates import candidate_pairs  # noqa: E402
from pipelines.grams import folded, grams  # noqa: E402
from pipelines.near import worth_reading  # noqa: E402
from pipelines.sketch import common_grams, sampled, sketches  # noqa: E402
from pipelines.verify import as_edges, verify  # noqa: E402

LARGE = 20_000
# Documents of each corpus, and how many corpora of as many seeds.
CORPORA = {800: (6_000, 3), LARGE: (2_200, 1)}
NEAR_RECALL, CONTAINS_RECALL, CANDIDATES = 1.0, 0.998, 3.0

Pair = tuple[int, int]


def bodies(documents: Sequence[Document]) -> dict[str, list[Document]]:
    """Return body hash -> documents: equal without white space, as the product has it."""
    found: dict[str, list[Document]] = {}
    for document in documents:
        body = hashlib.sha256(squeeze(document.text).encode("utf-8")).hexdigest()
        found.setdefault(body, []).append(document)
    return found


@dataclass(frozen=True, slots=True)
class Found:
    """What the product made of the bodies: edges by kind, and the pairs that were verified."""

    edges: dict[Pair, str]
    candidates: list[Pair]


def found_by_product(names: Sequence[str], texts: Sequence[str]) -> Found:
    """Run the product's own steps; names are body hashes in ascending order."""
    rows = {name: row for row, name in enumerate(names)}
    ready = [folded(text) for text in texts]
    common = common_grams(grams(ready[rows[name]]) for name in sampled(names))
    sketched = sketches(ready, common)
    pairs = worth_reading(candidate_pairs(sketched.owners, sketched.bands), sketched.n_grams, sketched.signature)
    edges = as_edges(names, list(verify(pairs, sketched.n_grams, lambda row: grams(ready[row]))))
    return Found({(rows[edge.a], rows[edge.b]): edge.kind for edge in edges}, [(int(a), int(b)) for a, b in pairs])


@dataclass
class Tally:
    """What was counted over the corpora of a size."""

    wanted: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)
    documents: int = 0
    bodies: int = 0
    pairs: int = 0
    false: int = 0
    candidates: int = 0
    brute_seconds: float = 0.0
    our_seconds: float = 0.0

    def add(self, documents: Sequence[Document], *, details: bool) -> None:
        """Compare the product with the truth on one corpus."""
        groups = bodies(documents)
        names = sorted(groups)
        chosen = [min(groups[name], key=lambda document: document.text) for name in names]
        texts = [document.text for document in chosen]
        started = time.process_time()
        true = truth(texts)
        between = time.process_time()
        found = found_by_product(names, texts)
        self.brute_seconds += between - started
        self.our_seconds += time.process_time() - between
        self.documents, self.bodies, self.pairs = (
            self.documents + len(documents),
            self.bodies + len(texts),
            self.pairs + true.pairs,
        )
        self.wanted.update(kind for kind, _ in true.edges.values())
        self.hits.update(kind for pair, (kind, _) in true.edges.items() if found.edges.get(pair) == kind)
        self.false += sum(true.edges.get(pair, ("", 0.0))[0] != kind for pair, kind in found.edges.items())
        self.candidates += len(found.candidates)
        if details:
            _print_details(chosen, true, found)


def figures(size: int, *, details: bool = False) -> list[Figure]:
    """Return the figures of one size of document."""
    tally = Tally()
    count, corpora = CORPORA[size]
    for number in range(corpora):
        tally.add(corpus(count, size, seed=SEED + number), details=details)
    rows = []
    for kind, bar in (("near", NEAR_RECALL), ("contains", CONTAINS_RECALL)):
        hits, wanted = tally.hits[kind], tally.wanted[kind]
        shown = f"{hits / wanted:.4f} ({hits:,}/{wanted:,})"
        rows.append(Figure(f"1 {kind} recall, {size} B", shown, f">= {bar:.3f}", hits / wanted >= bar))
    note = (
        f"{corpora} x {count:,} documents, {tally.bodies:,} bodies, {tally.pairs:,} pairs; "
        f"brute force {tally.brute_seconds:.1f} CPU s, ours {tally.our_seconds:.1f}"
    )
    rows.append(Figure(f"1 false edges, {size} B", str(tally.false), "0", tally.false == 0, note))
    per_document, most = tally.candidates / tally.documents, CANDIDATES if size >= LARGE else None
    shown_bar, met = (f"<= {most:.0f}", per_document <= most) if most else ("", True)
    rows.append(Figure(f"1 candidate pairs a document, {size} B", f"{per_document:.2f}", shown_bar, met))
    return rows


def _print_details(documents: Sequence[Document], true: Truth, found: Found) -> None:
    """Say what the candidates are and what was missed."""
    kinds: Counter[str] = Counter()
    for a, b in found.candidates:
        same = documents[a].group == documents[b].group
        one, other = sorted(document.group.partition("-")[0] for document in (documents[a], documents[b]))
        kinds["true" if (a, b) in true.edges else one if same else f"{one} with {other}"] += 1
    print(dict(kinds.most_common()))
    for pair, (kind, jaccard) in true.edges.items():
        if found.edges.get(pair) != kind:
            print(f"missed {kind} {jaccard:.4f} {documents[pair[0]].group} {documents[pair[1]].group}")


def main() -> None:
    """Print the figures; exit code 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--only", nargs="*", type=int, choices=CORPORA, default=list(CORPORA), metavar="BYTES")
    options.add_argument("--details", action="store_true", help="say what the candidates are and what was missed")
    chosen = options.parse_args()
    found = [figure for size in chosen.only for figure in figures(size, details=chosen.details)]
    for figure in found:
        print(figure.line())
    sys.exit(any(not figure.met for figure in found))


if __name__ == "__main__":
    main()
