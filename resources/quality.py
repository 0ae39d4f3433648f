"""Invariants of the rows that are about to be searched, judged by Great Expectations."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.rowrules import UNIT_TOLERANCE

# All other checks block publication; a text about HTML may rightly hold a character reference.
ADVISORY = frozenset({"references_decoded"})
# A vector that isn't finite is given this length: Great Expectations would take NaN for a missing value.
_NOT_FINITE = -1.0
# A numeric character reference that a parser left undecoded.
_REFERENCE = r"&#(?:\d{2,7}|[xX][0-9a-fA-F]{2,6});"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check over all rows. `observed` holds counts, ids or numbers, never document text."""

    name: str
    passed: bool
    unexpected_count: int
    observed: str

    @property
    def blocking(self) -> bool:
        return self.name not in ADVISORY


def check_rows(facts: pa.Table, *, encoder_id: str, dimension: int, max_tokens: int) -> list[CheckResult]:
    """Check the facts of index rows; the results come in a fixed order, also for no rows."""
    expectations = _expectations(encoder_id, dimension, max_tokens)
    validated = _batch(facts.to_pandas()).validate(_suite(expectations))
    by_name = {result.expectation_config.meta["check"]: result for result in validated.results}
    return [_result(name, by_name[name]) for name in expectations]


def facts_of(table: pa.Table) -> pa.Table:
    """Reduce index rows (resources.rows) to what is judged: no text leaves the table, a row takes about 130 bytes."""
    text = table["text"]
    return pa.table(
        {
            "chunk_id": table["chunk_id"],
            "encoder_id": table["encoder_id"],
            "n_tokens": table["n_tokens"],
            "text_chars": pc.utf8_length(pc.utf8_trim_whitespace(text)),
            "references": pc.match_substring_regex(text, _REFERENCE),
            "vector_length": _lengths(table["vector"]),
            "vector_dimension": pa.repeat(table.schema.field("vector").type.list_size, table.num_rows),
        }
    )


def _lengths(vectors: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the length of each vector; null where there is none."""
    parts = []
    for chunk in vectors.chunks:
        present = chunk.is_valid().to_numpy(zero_copy_only=False)
        lengths = np.full(len(chunk), np.nan, np.float64)
        rows = np.asarray(chunk.flatten()).reshape(-1, chunk.type.list_size)
        known = np.linalg.norm(rows, axis=1)
        lengths[present] = np.where(np.isfinite(known), known, _NOT_FINITE)
        parts.append(pa.array(lengths, pa.float64(), mask=~present))
    return pa.chunked_array(parts, pa.float64())


@cache
def _context() -> Any:
    os.environ["GX_ANALYTICS_ENABLED"] = "false"  # read when it is imported
    with warnings.catch_warnings():
        # It imports sre_constants, which Python deprecates; nothing here can mend that.
        warnings.simplefilter("ignore", DeprecationWarning)
        import great_expectations as gx

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False, "metric_calculations": False}
    return context


@cache
def _batch_definition() -> Any:
    asset = _context().data_sources.add_pandas("index").add_dataframe_asset("rows")
    return asset.add_batch_definition_whole_dataframe("all")


def _batch(frame: Any) -> Any:
    return _batch_definition().get_batch({"dataframe": frame})


def _suite(expectations: dict[str, Any]) -> Any:
    import great_expectations as gx

    return gx.ExpectationSuite(name="rows", expectations=list(expectations.values()))


def _expectations(encoder_id: str, dimension: int, max_tokens: int) -> dict[str, Any]:
    """Return check name -> expectation. Results come back grouped by column, so each carries its name."""
    _context()
    import great_expectations.expectations as gxe

    low, high = 1 - UNIT_TOLERANCE, 1 + UNIT_TOLERANCE
    between, within = gxe.ExpectColumnValuesToBeBetween, gxe.ExpectColumnValuesToBeInSet
    named: list[tuple[str, Any, dict[str, Any]]] = [
        ("chunk_ids_unique", gxe.ExpectColumnValuesToBeUnique, {"column": "chunk_id"}),
        ("chunk_ids_present", gxe.ExpectColumnValuesToNotBeNull, {"column": "chunk_id"}),
        ("text_present", gxe.ExpectColumnValuesToNotBeNull, {"column": "text_chars"}),
        ("text_not_empty", between, {"column": "text_chars", "min_value": 1}),
        ("tokens_within_limit", between, {"column": "n_tokens", "min_value": 1, "max_value": max_tokens}),
        ("vectors_unit_length", between, {"column": "vector_length", "min_value": low, "max_value": high}),
        ("vectors_dimension", within, {"column": "vector_dimension", "value_set": [dimension]}),
        ("one_encoder", within, {"column": "encoder_id", "value_set": [encoder_id]}),
        ("references_decoded", within, {"column": "references", "value_set": [False]}),
    ]
    return {name: kind(**arguments, meta={"check": name}) for name, kind, arguments in named}


def _result(name: str, result: Any) -> CheckResult:
    found = result.result
    count = int(found.get("unexpected_count", 0))
    rows = int(found.get("element_count", 0))
    values = sorted({str(value) for value in found.get("partial_unexpected_list", []) if value is not None})
    shown = f"{count} of {rows} rows"
    return CheckResult(
        name=name,
        passed=bool(result.success),
        unexpected_count=count,
        observed=f"{shown}: {', '.join(values[:5])}" if count and values else shown,
    )
