"""How often the version rule is wrong when it acts by itself, and how many true versions it finds.

    python benchmarks/dedup/versions.py [--folders 250] [--seed N] [--unseen]

Over generated folders (version_chains.py) and over the hand-written pairs (version_pairs.toml; --unseen adds those of
somebody who saw no code). Ends with 1 when a bar is missed. The result over the default folders is kept beside.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pair_texts import both_texts
from version_chains import SEED, Folder, different_things, folders, label
from version_counts import HEAD, Folders, Pairs, upper_bound
from version_desk import Made

from pipelines.body import squeeze
from pipelines.grams import folded, grams
from pipelines.near import shared
from pipelines.verify import edges_among
from pipelines.versions import Decisions, Named, Replacement, replacements

HERE = Path(__file__).resolve().parent
RESULT = HERE.parent / "results" / "dedup_versions.txt"
# The bars of the issue.
LEAST_DECISIONS, LEAST_FOUND = 600, 0.85
FOLDERS = 250


def decide(documents: Sequence[tuple[str, str, datetime | None]]) -> Decisions:
    """Ask the product's rule about (path, text, own clock) of one source."""
    texts = {body_of(text): text for _, text, _ in documents}
    held = {body: grams(folded(text)) for body, text in texts.items()}

    def similarity(older: str, newer: str) -> tuple[float, float]:
        a, b = held[older], held[newer]
        both = shared(a, b)
        return both / (len(a) + len(b) - both), both / len(a)

    named = [Named("문서", path, body_of(text), len(squeeze(text)), clock) for path, text, clock in documents]
    return replacements(named, similarity, edges=edges_among(texts))


def body_of(text: str) -> str:
    """Return the hash of the words."""
    return hashlib.sha256(squeeze(text).encode("utf-8")).hexdigest()


def judge_folder(folder: Folder, seen: Folders) -> None:
    """Count what the rule decides in one folder."""
    decisions = decide([(made.name, made.text, made.clock) for made in folder.documents])
    places = {made.name: made for made in folder.documents}
    for made in folder.documents:
        seen.of(made.scene).documents += 1
    for older, newer, _ in _named_pairs(decisions.automatic, places):
        seen.of(older.scene).automatic += 1
        if label(older, newer) != "auto":
            seen.of(older.scene).wrong += 1
            seen.faults.append(f"AUTO {label(older, newer):6} {older.scene:20} {older.name} -> {newer.name}")
    joined: set[tuple[str, str]] = set()
    for older, newer, why in _named_pairs(decisions.doubtful, places):
        tally = seen.of(older.scene)
        tally.items += 1
        if older.thread != newer.thread:
            tally.noise += 1
            seen.faults.append(f"ASKED none  {older.scene:20} {older.name} | {newer.name}: {why}")
        joined.update({(older.thread, body_of(older.text)), (newer.thread, body_of(newer.text))})
    replaced = {(older.thread, body_of(older.text)) for older, _, _ in _named_pairs(decisions.automatic, places)}
    for made in _with_successor(folder.documents):
        tally, key = seen.of(made.scene), (made.thread, body_of(made.text))
        tally.versions += 1
        tally.found_by_itself += key in replaced
        tally.asked += key not in replaced and key in joined
        if key not in replaced and key not in joined:
            later = [one.name for one in folder.documents if one.thread == made.thread and one.order > made.order]
            seen.faults.append(f"MISSED      {made.scene:20} {made.name} -> {' | '.join(later)}")


def _named_pairs(found: Iterable[Replacement], places: Mapping[str, Made]) -> Iterator[tuple[Made, Made, str]]:
    for edge in found:
        yield places[edge.older[1]], places[edge.newer[1]], edge.why


def _with_successor(documents: Sequence[Made]) -> list[Made]:
    """Return one document of each body that has a later state in the folder."""
    last: dict[str, int] = {}
    for made in documents:
        last[made.thread] = max(last.get(made.thread, 0), made.order)
    older = {(made.thread, made.order): made for made in documents if made.order < last[made.thread]}
    return list(older.values())


# Two things on one template: nothing in the texts tells the rule that they are two.
TEMPLATE_LIKENESS = (0.8, 0.9)


def judge_names() -> tuple[int, list[str]]:
    """Return how many pairs of names of two things there are, and those that are replaced on almost equal texts."""
    pairs = list(dict.fromkeys(different_things()))
    wrong = []
    for older, newer in pairs:
        named = [Named("문서", path, path, 1000) for path in (older, newer)]
        if replacements(named, lambda a, b: TEMPLATE_LIKENESS).automatic:
            wrong.append(f"AUTO none   by name alone        {older} -> {newer}")
    return len(pairs), wrong


def judge_pairs(path: Path) -> Pairs:
    """Ask the rule about every pair of a file."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    judged = Pairs(path.stem)
    for pair in content["pair"]:
        decision, backwards = _decision(pair, content["texts"])
        judged.counts[pair["label"], decision] += 1
        judged.backwards += backwards and pair["label"] == "auto"
        if decision != pair["label"] or backwards:
            found = f"{decision}{' BACKWARDS' if backwards else ''}"
            judged.faults.append(
                f"{pair['label']:6} got {found:6} {pair['older']} -> {pair['newer']} ({pair['change']})"
            )
    return judged


def _decision(pair: Mapping[str, Any], texts: Mapping[str, str]) -> tuple[str, bool]:
    """Return what the rule says to a pair, and whether it replaced the newer by the older."""
    older, newer = both_texts(texts, pair["text"], pair["change"], f"{pair['older']} {pair['newer']}")
    clocks = [_moment(pair.get("older_at")), _moment(pair.get("newer_at"))]
    decisions = decide([(pair["older"], older, clocks[0]), (pair["newer"], newer, clocks[1])])
    if decisions.automatic:
        return "auto", decisions.automatic[0].older_body != body_of(older)
    return ("review" if decisions.doubtful else "none"), False


def _moment(day: str | None) -> datetime | None:
    return datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None


def report(
    seen: Folders, names: tuple[int, int], count: int, seed: int, files: Sequence[Pairs]
) -> tuple[list[str], bool]:
    """Return the lines of the result, and whether every bar is met."""
    total = seen.all()
    bound = upper_bound(total.wrong, total.automatic)
    lines = [f"generated folders: {count}, seed {seed}", HEAD]
    lines += [tally.row(scene) for scene, tally in sorted(seen.scenes.items())]
    lines += [total.row("all"), ""]
    bars = [
        (f"AUTO decisions {total.automatic} (bar {LEAST_DECISIONS})", total.automatic >= LEAST_DECISIONS),
        (f"wrong AUTO {total.wrong}, 95 % bound {bound:.2%} (bar 0)", total.wrong == 0),
        (f"true versions found {total.found:.3f} (bar {LEAST_FOUND})", total.found >= LEAST_FOUND),
    ]
    bars.append(
        (f"of {names[0]} pairs of names of two things on one template replaced {names[1]} (bar 0)", not names[1])
    )
    for judged in files:
        lines += [*judged.lines(), ""]
        bars.append((f"{judged.name}: wrong AUTO {judged.wrong} (bar 0)", judged.wrong == 0))
        bars.append((f"{judged.name}: found {judged.found:.3f} (bar {LEAST_FOUND})", judged.found >= LEAST_FOUND))
    lines += [f"{'met   ' if met else 'MISSED'} {what}" for what, met in bars]
    return lines, all(met for _, met in bars)


def main() -> int:
    """Run all, print and keep the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folders", type=int, default=FOLDERS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--unseen", action="store_true", help="also the pairs by somebody who saw no code")
    parser.add_argument("--faults", action="store_true", help="name what went wrong, to the error output")
    asked = parser.parse_args()
    seen = Folders()
    for folder in folders(asked.folders, asked.seed):
        judge_folder(folder, seen)
    halves = ["version_pairs", *(["version_pairs_unseen"] if asked.unseen else [])]
    files = [judge_pairs(HERE / f"{half}.toml") for half in halves]
    pairs, wrong = judge_names()
    lines, met = report(seen, (pairs, len(wrong)), asked.folders, asked.seed, files)
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if (asked.folders, asked.seed) == (FOLDERS, SEED):
        RESULT.write_text(text, encoding="utf-8")
    if asked.faults:
        faults = [*seen.faults, *wrong, *(f"{judged.name}: {fault}" for judged in files for fault in judged.faults)]
        print("\n".join(faults), file=sys.stderr)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
