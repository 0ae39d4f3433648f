"""saero compare: how alike two files are, and what stands beside their words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from saero.given import readings
from saero.likeness import beside, clock_word, only_the_body, verdict_word
from saero.output import json_option, local, print_json, printable
from saero.spoken import spoken
from saero.words import either

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from resources.folder import Reading

# The named size of the estimate (DESIGN section 5); its standard error is about 1 / sqrt(128) at worst.
_ESTIMATE_VALUES = 128
# Changed places on a screen; --json has more.
_PLACES = 5
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("compare", short_help="Compare the bodies of two files.")
@click.argument("a", type=_FILE)
@click.argument("b", type=_FILE)
@json_option
@click.pass_obj
def command(config: str | None, a: Path, b: Path, as_json: bool) -> None:
    """Compare the words of files A and B, exactly, and name what else one has and the other lacks."""
    first, second = readings([a, b])
    report = compared(first, second)
    if as_json:
        print_json(report)
        return
    _print(report, first, second, *spoken(config))


def compared(a: Reading, b: Reading) -> dict[str, Any]:
    """Return what `compare --json` prints. Bodies without words are equal or different, nothing between."""
    from pipelines.changed import changes
    from pipelines.grams import folded, grams
    from pipelines.near import CONTAINS_JACCARD, relation, shared

    sets = [grams(folded(one.text)) for one in (a, b)]
    common = shared(*sets)
    equal = a.body_hash == b.body_hash
    in_b, in_a = (1.0 if equal else common / len(one) if len(one) else 0.0 for one in sets)
    union = len(sets[0]) + len(sets[1]) - common
    kind = "exact" if equal else relation(len(sets[0]), len(sets[1]), common)
    told = changes(a.text, b.text) if not equal and union and common / union >= CONTAINS_JACCARD else []
    return {
        "exact_equal": equal,
        "near_score": _estimate(a.text, b.text) if not equal else 1.0,
        "jaccard": 1.0 if equal else common / union if union else 0.0,
        "containment_a_in_b": in_b,
        "containment_b_in_a": in_a,
        "verdict": kind or "different",
        "container": None if kind != "contains" else "b" if in_b >= in_a else "a",
        "clocks": {
            name: {"modified_at": one.modified_at, "clock": one.clock} for name, one in zip("ab", (a, b), strict=True)
        },
        "extras": {"a": a.extras, "b": b.extras},
        "changes": [{"a": old, "b": new} for old, new in told],
    }


def _estimate(a: str, b: str) -> float:
    """Return datasketch's estimate of the Jaccard similarity, the public meaning of our sketches; 0 without words."""
    from datasketch import MinHash

    if not a or not b:
        return 0.0
    sketches = [MinHash(num_perm=_ESTIMATE_VALUES) for _ in (a, b)]
    for sketch, text in zip(sketches, (a, b), strict=True):
        sketch.update_batch([gram.encode("utf-8") for gram in _windows(text)])
    return float(sketches[0].jaccard(sketches[1]))


def _windows(text: str) -> set[str]:
    from pipelines.grams import GRAM_CHARS, folded

    whole = folded(text)
    return {whole[start : start + GRAM_CHARS] for start in range(max(len(whole) - GRAM_CHARS + 1, 1))}


def _verdict(report: dict[str, Any], language: str) -> str:
    """Say of different texts whether they are alike, and which bar they miss."""
    from pipelines.near import CONTAINS_JACCARD, NEAR

    if report["verdict"] == "different" and report["jaccard"] >= CONTAINS_JACCARD:
        return either(language, f"비슷하지만 기준 미만 (기준 {NEAR:.2f})", f"alike, but below the bar ({NEAR:.2f})")
    return verdict_word(report["verdict"], language)


def _print_changes(changes: list[dict[str, str]], language: str) -> None:
    if changes:
        click.echo(either(language, "바뀐 곳 (A → B):", "changed places (A → B):"))
    for one in changes[:_PLACES]:
        old, new = (one[side] or either(language, "(없음)", "(none)") for side in "ab")
        click.echo(printable(f"  {old} → {new}"))
    if len(changes) > _PLACES:
        click.echo(either(language, "  … 더 있음 (--json)", "  … more (--json)"))


def _print(report: dict[str, Any], a: Reading, b: Reading, language: str, zone: ZoneInfo) -> None:
    verdict = _verdict(report, language)
    if report["container"]:
        whole, part = ("A", "B") if report["container"] == "a" else ("B", "A")
        verdict += either(language, f": {whole}가 {part}를 포함", f": {whole} contains {part}")
    click.echo(either(language, f"본문: {verdict}", f"bodies: {verdict}"))
    names = either(
        language,
        "유사도(Jaccard)/유사도 추정(MinHash)/A 중 B에 있는 비율/B 중 A에 있는 비율",
        "similarity (Jaccard)/its estimate (MinHash)/share of A in B/share of B in A",
    ).split("/")
    for name, key in zip(names, ("jaccard", "near_score", "containment_a_in_b", "containment_b_in_a"), strict=True):
        click.echo(f"{name}: {report[key]:.4f}")
    for name, one in (("A", a), ("B", b)):
        when = f"{local(one.modified_at, zone)} ({clock_word(one.clock, language)})"
        click.echo(printable(f"{name}: {one.path} · {one.format or '?'} · {when}"))
        if one.wordless is not None:
            click.echo(printable(f"  {one.wordless.category}: {one.wordless.reason}"))
    if a.content_hash == b.content_hash:
        click.echo(either(language, "파일 전체가 같습니다.", "The files are the same, byte for byte."))
    elif report["exact_equal"]:
        click.echo(only_the_body(language))
    _print_changes(report["changes"], language)
    for line in beside({"A": a.extras, "B": b.extras}, language):
        click.echo(line)
