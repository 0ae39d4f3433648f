"""The rows of parse_quality.py about what was read from the case files."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from cases_refresh import bare, sidecar_misses
from lxml import etree
from parse_desk import Desk
from parse_readers import OURS, Reading
from parse_required import DOCX_FORBIDDEN, DOCX_REQUIRED, PPTX_REQUIRED
from parse_table import Row, Score, count_score, mean_row
from parse_truth import (
    FOLDERS,
    all_words,
    hangul_words,
    pairs,
    preview_share,
    preview_tokens,
    share,
    source_text,
    squeezed_text,
)

LOW_SHARE = 0.9


def preview_row(desk: Desk) -> Row:
    """HWP and HWPX: the words at the start of Hancom's own preview that the text holds."""
    tokens = {path: found for path in desk.files["hwp"] if (found := preview_tokens(path))}
    readings = desk.readings("hwp")
    shares = {who: {p: preview_share(tokens[p], read[p].text) for p in tokens} for who, read in readings.items()}
    low = [
        f"{desk.named(path)}: {value:.2f} {readings[OURS.name][path].error}".rstrip()
        for path, value in shares[OURS.name].items()
        if value < LOW_SHARE
    ]
    return mean_row(
        f"HWP/HWPX: preview words found, mean of {len(tokens)} files",
        {who: list(found.values()) for who, found in shares.items()},
        bar=0.99,
        bar_shown=">= .990",
        notes=(*_behind(desk, shares), *_silent(readings)),
        details=tuple(low),
    )


def _behind(desk: Desk, shares: Mapping[str, Mapping[Path, float]]) -> list[str]:
    """Name the files of which a peer holds more than ours."""
    named = []
    for path, ours in shares[OURS.name].items():
        better = [f"{who} {found[path]:.3f}" for who, found in shares.items() if found[path] > ours]
        named += [f"{desk.named(path)}: ours {ours:.3f}, {', '.join(better)}"] if better else []
    return named


def _silent(readings: Mapping[str, Mapping[Path, Reading]]) -> list[str]:
    """Name the readers that gave no text for any file of a form."""
    silent = [who for who, read in readings.items() if not any(one.has_text for one in read.values())]
    return [f"{who} gives no text for any .hwp, .hwpx or .hml" for who in silent]


def pair_row(desk: Desk) -> Row:
    """The same document as .hwp and .hwpx gives the same body."""
    twins = pairs(desk.files["hwp"], (".hwp", ".hwpx"))
    readings = desk.readings("hwp")
    equal = {who: [_same_body(read[a], read[b]) for a, b in twins] for who, read in readings.items()}
    unlike = [desk.named(a) for (a, _), same in zip(twins, equal[OURS.name], strict=True) if not same]
    empty = sum(not (readings[OURS.name][a].body or readings[OURS.name][b].body) for a, b in twins)
    return Row(
        f".hwp/.hwpx pairs with the same text ({empty} of them without any)",
        {who: count_score(sum(same), len(same)) for who, same in equal.items()},
        bar=1.0,
        bar_shown="all",
        details=tuple(f"{name}: the bodies differ" for name in unlike),
    )


def _same_body(one: Reading, other: Reading) -> bool:
    if one.error or other.error:
        return False
    return (one.body or squeezed_text(one.text)) == (other.body or squeezed_text(other.text))


def docx_rows(desk: Desk) -> list[Row]:
    """A .docx with every way of keeping text; the words that ours keeps apart from the body (Parsed.apart) count."""
    path = desk.case("docx", "syn_ko_everything.docx")
    found, wrong, notes = {}, {}, []
    for who, read in desk.readings("docx").items():
        text = bare(squeezed_text(read[path].text))
        seen = {what for what, words in DOCX_REQUIRED.items() if bare(words) in text}
        beside = bare(squeezed_text(read[path].apart))
        apart = {what for what, words in DOCX_REQUIRED.items() if what not in seen and bare(words) in beside}
        shown = f"{len(seen | apart)}/{len(DOCX_REQUIRED)}" + (f" ({len(apart)} of them apart)" if apart else "")
        found[who] = Score(len(seen | apart) / len(DOCX_REQUIRED), shown)
        kept = [what for what, words in DOCX_FORBIDDEN.items() if bare(words) in text]
        wrong[who] = Score(len(kept), f"{len(kept)}/{len(DOCX_FORBIDDEN)}")
        lost = [what for what in DOCX_REQUIRED if what not in seen | apart]
        said = [("kept apart from the body", sorted(apart)), ("missed", lost), ("wrongly kept", kept)]
        notes += [f"docx, {who} {what}: {', '.join(names)}" for what, names in said if names]
    return [
        Row("syn_ko_everything.docx: required", found, 1.0, "27/27", notes=tuple(notes)),
        Row("syn_ko_everything.docx: forbidden text kept", wrong, 0.0, "none", lower_is_better=True),
    ]


def pptx_row(desk: Desk) -> Row:
    """A .pptx with groups, notes, table, chart, a hidden slide and shapes drawn out of order."""
    path = desk.case("pptx", "syn_ko_everything.pptx")
    scores, notes = {}, []
    for who, read in desk.readings("pptx").items():
        text = bare(squeezed_text(read[path].text))
        lost = [what for what, words in PPTX_REQUIRED.items() if bare(words) not in text]
        scores[who] = count_score(len(PPTX_REQUIRED) - len(lost), len(PPTX_REQUIRED))
        notes += [f"pptx, {who} missed: {', '.join(lost)}"] if lost else []
    return Row("syn_ko_everything.pptx: required", scores, 1.0, "15/15", notes=tuple(notes))


def print_row(desk: Desk) -> Row:
    """PDFs that Office printed: the Hangul words of the .docx, .pptx or .xlsx beside them that the text holds."""
    sources = [path for form in ("docx", "pptx", "xlsx") for path in desk.files[form]]
    printed = {path.stem: path for path in desk.files["pdf"]}
    twins = {printed[path.stem]: hangul_words(source_text(path)) for path in sources if path.stem in printed}
    readings = desk.readings("pdf")
    shares = {
        who: {pdf: share(words, len(words & hangul_words(read[pdf].text))) for pdf, words in twins.items()}
        for who, read in readings.items()
    }
    words, values = sum(map(len, twins.values())), shares[OURS.name].items()
    return mean_row(
        f"Office-printed PDF: {words} Hangul words of {len(twins)} sources, exact",
        {who: list(found.values()) for who, found in shares.items()},
        bar=0.99,
        bar_shown=">= .990",
        details=tuple(f"{desk.named(pdf)}: {value:.3f}" for pdf, value in values if value < 1),
    )


def sidecar_row(desk: Desk) -> Row:
    """Every sidecar of right and forbidden words is met, of each reader in its own formats."""
    everything = {desk.named(path): form for form, files in desk.files.items() for path in files}
    asked = {_file_of(miss) for miss in _misses(desk, {})} & set(everything)
    scores, details = {}, []
    for reader in (OURS, *desk.peers):
        mine = {name for name in asked if everything[name] in reader.formats}
        if not mine:
            continue
        forms = {everything[name] for name in mine}
        read = {desk.named(path): one for form in forms for path, one in desk.read(reader, form).readings.items()}
        missed = Counter(_file_of(miss) for miss in _misses(desk, read) if _file_of(miss) in mine)
        scores[reader.name] = count_score(len(mine) - len(missed), len(mine))
        details += [f"{name}: {reader.name} misses {n} of the sidecar's words" for name, n in sorted(missed.items())]
    return Row("files whose *.expected.txt is met", scores, 1.0, "all", details=tuple(details))


def _misses(desk: Desk, read: Mapping[str, Reading]) -> list[str]:
    """Return what cases_refresh.py finds missing in `read`; readings stand where it looks for text versions."""
    folders = {name: desk.cases / name for name in FOLDERS}
    nothing = Reading()
    mirror = SimpleNamespace(read=lambda source, key: squeezed_text(read.get(f"{source}/{key}", nothing).text))
    titles = [
        {"source": source, "path": path, "title": one.title}
        for source, _, path, one in ((*name.partition("/"), one) for name, one in read.items())
    ]
    return sidecar_misses(cast(Any, SimpleNamespace(mirror=mirror)), folders, titles)


def _file_of(miss: str) -> str:
    return miss.partition(": ")[0]


def recall_row(desk: Desk, form: str) -> Row:
    """Real .docx or .pptx: the words of the raw XML that the text holds."""
    wanted = {path: words for path in desk.files[form] if (words := _xml_words(path))}
    shares = {
        who: {path: share(words, len(words & all_words(read[path].text))) for path, words in wanted.items()}
        for who, read in desk.readings(form).items()
    }
    low = [f"{desk.named(path)}: {value:.3f}" for path, value in shares[OURS.name].items() if value < 0.99]
    return mean_row(
        f"{form.upper()}: words of the raw XML found, mean of {len(wanted)} files",
        {who: list(found.values()) for who, found in shares.items()},
        details=tuple(low),
    )


def _xml_words(path: Path) -> set[str]:
    """Return the words of an OOXML file; empty for one that isn't a readable package."""
    try:
        return all_words(source_text(path))
    except (zipfile.BadZipFile, etree.XMLSyntaxError):
        return set()
