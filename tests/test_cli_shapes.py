"""--json prints one document on stdout, with exactly the keys and types of docs/cli.md."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from quick_corpus import refreshed_corpus
from quick_saero import QuickEncoder

from pipelines.records import State
from saero.cli import main

Shape = Any
Ask = Callable[..., Any]
MAYBE_TEXT = (str, type(None))
MAYBE_NUMBER = (float, int, type(None))
NUMBER = (float, int)


class Counts:
    """An object of names and numbers, whatever the names are."""

    def __init__(self, *names: str) -> None:
        self.names = names


class Maybe:
    """null or the shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape


class OneOf:
    """One of these words."""

    def __init__(self, *words: str) -> None:
        self.words = words


RANGE = Maybe([int])
PLACE = {"source": str, "path": str}
UNSEARCHED = {**PLACE, "category": str}
DOCUMENT_COUNTS = Counts(
    "seen", "new", "changed", "renamed", "unchanged", "gone", "failed", "duplicate", "superseded", "expired", "held"
)
REFRESH = {
    "run_id": str,
    "published": bool,
    "held": MAYBE_TEXT,
    "documents": dict.fromkeys(DOCUMENT_COUNTS.names, int),
    "failures": [{**UNSEARCHED, "reason": str}],
    "chunks": {"added": int, "removed": int, "kept": int},
    "embedded": int,
    "reused": int,
    "opened": int,
    "findings": Counts(),
    "seconds": Counts(),
}
RESULT = {
    "rank": int,
    "score": NUMBER,
    "tier": OneOf("trusted", "conditional", "weak"),
    "exact": bool,
    "cosine": MAYBE_NUMBER,
    "bm25": MAYBE_NUMBER,
    **PLACE,
    "title": MAYBE_TEXT,
    "locator": {
        "page": (int, type(None)),
        "slide": (int, type(None)),
        "sheet": MAYBE_TEXT,
        "rows": RANGE,
        "heading": [str],
        "lines": RANGE,
        "ocr": bool,
    },
    "snippet": str,
    "chunk_id": str,
    "modified_at": MAYBE_TEXT,
    "expires_at": MAYBE_TEXT,
    "flags": [str],
    "also_in": [PLACE],
}
SEARCH = {
    "query": [str],
    "answerable": bool,
    "only_conditional": bool,
    "only_named": bool,
    "stale": bool,
    "stale_reasons": [str],
    "unsearched": [UNSEARCHED],
    "index": {"version": int, "published_at": str, "encoder": str, "calibration": str},
    "results": [RESULT],
}
STATUS = {
    "sources": [
        {
            "name": str,
            "path": str,
            "reachable": bool,
            "documents": Counts(),
            "chunks": int,
            "refreshed_at": MAYBE_TEXT,
            "stale": bool,
            "stale_reasons": [str],
        }
    ],
    "index": {
        "chunks": int,
        "missing": int,
        "extra": int,
        "version": (int, type(None)),
        "damaged": str,
        "with_vectors": float,
    },
    "run": Maybe({"stage": str, "done": int, "total": int, "since": str}),
    "findings": Counts(),
    "review": (int, type(None)),
}
DOCUMENTS = {
    "documents": [
        {
            **PLACE,
            "state": OneOf(*get_args(State)),
            "format": MAYBE_TEXT,
            "title": MAYBE_TEXT,
            "modified_at": MAYBE_TEXT,
            "clock": MAYBE_TEXT,
            "expires_at": MAYBE_TEXT,
            "duplicate_of": MAYBE_TEXT,
            "superseded_by": MAYBE_TEXT,
            "category": MAYBE_TEXT,
            "reason": MAYBE_TEXT,
            "chunks": (int, type(None)),
            "unread_pages": [int],
        }
    ]
}
CANARY = {
    "canary_id": str,
    "query": str,
    "score": MAYBE_NUMBER,
    "min_score": NUMBER,
    "baseline": MAYBE_NUMBER,
    "previous": MAYBE_NUMBER,
    "state": OneOf("ok", "lost", "value_changed", "moved", "displaced", "drop", "gap", "new"),
    "cause": MAYBE_TEXT,
    "pinned": Maybe(PLACE),
    "top": Maybe({**PLACE, "score": NUMBER}),
    "owner": str,
}
GAPS = {"converged": bool, "canaries": [CANARY]}
ALERTS = {
    "alerts": [
        {
            "id": str,
            "kind": str,
            "severity": OneOf("urgent", "digest"),
            "state": OneOf("open", "worsened", "resolved"),
            "owner": MAYBE_TEXT,
            "source": MAYBE_TEXT,
            "path": MAYBE_TEXT,
            "since": str,
            "evidence": dict,
            "mail": Maybe(OneOf("queued", "sent", "failed", "muted", "file")),
        }
    ]
}
DOCTOR = {"ok": bool, "checks": [{"name": str, "ok": bool, "detail": str, "fix": str}]}


def misfits(value: Any, shape: Shape, at: str = "") -> list[str]:
    """Return where `value` is not of `shape`."""
    if isinstance(shape, Maybe):
        return [] if value is None else misfits(value, shape.shape, at)
    if isinstance(shape, OneOf):
        return [] if value in shape.words else [f"{at}: {value!r}"]
    if isinstance(shape, Counts):
        good = isinstance(value, dict) and all(isinstance(count, NUMBER) for count in value.values())
        return [] if good else [f"{at}: {value!r}"]
    if isinstance(shape, dict):
        if not isinstance(value, dict) or set(value) != set(shape):
            return [f"{at}: keys {sorted(value) if isinstance(value, dict) else value!r}, not {sorted(shape)}"]
        return [found for key in shape for found in misfits(value[key], shape[key], f"{at}.{key}")]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{at}: no list"]
        return [found for number, one in enumerate(value) for found in misfits(one, shape[0], f"{at}[{number}]")]
    kinds = shape if isinstance(shape, tuple) else (shape,)
    if isinstance(value, bool):
        return [] if bool in kinds else [f"{at}: {value!r}"]
    return [] if isinstance(value, kinds) else [f"{at}: {value!r}"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return refreshed_corpus(tmp_path_factory)


@pytest.fixture
def ask(corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Call a command with --json and return what it printed."""
    monkeypatch.setattr("resources.encoder.QueryEncoder", QuickEncoder)

    def call(*args: str) -> Any:
        main(["--config", str(corpus / "saero.toml"), *args, "--json"])
        return json.loads(capsys.readouterr().out)

    return call


def test_refresh(corpus: Path) -> None:
    report = json.loads((corpus / "refresh.json").read_text(encoding="utf-8"))
    assert misfits(report, REFRESH) == []
    assert report["documents"]["seen"] == 8 and report["documents"]["failed"] == 1
    assert (report["documents"]["duplicate"], report["documents"]["superseded"]) == (1, 1)
    assert report["documents"]["expired"] == 1
    assert [failure["path"] for failure in report["failures"]] == ["깨진.docx"]


def test_refresh_says_nothing_beside_its_json(corpus: Path) -> None:
    assert (corpus / "refresh.err").read_text(encoding="utf-8") == ""


def test_search(ask: Ask) -> None:
    report = ask("search", "결제 API 타임아웃", "휴가 신청", "--all")
    assert misfits(report, SEARCH) == []
    assert report["results"] and report["query"] == ["결제 API 타임아웃", "휴가 신청"]


def test_search_with_whole_passages(ask: Ask) -> None:
    report = ask("search", "결제 API 타임아웃", "--full")
    assert misfits(report, {**SEARCH, "results": [{**RESULT, "text": str}]}) == []


def test_a_snippet_is_a_slice_of_the_cited_lines(ask: Ask) -> None:
    for result in ask("search", "타임아웃", "휴가", "--all")["results"]:
        first, last = result["locator"]["lines"]
        shown = ask("show", f"{result['source']}/{result['path']}", "--lines", f"{first}-{last}")
        assert result["snippet"] in shown["text"] and 0 < len(result["snippet"]) <= 400


def test_a_search_without_an_answer(ask: Ask) -> None:
    report = ask("search", "ㅁㄴㅇㄹ")
    assert misfits(report, SEARCH) == [] and not report["answerable"] and report["results"] == []


def test_status(ask: Ask) -> None:
    report = ask("status")
    assert misfits(report, STATUS) == []
    assert report["run"] is None and report["index"]["missing"] == report["index"]["extra"] == 0


def test_documents(ask: Ask) -> None:
    report = ask("documents")
    assert misfits(report, DOCUMENTS) == []
    states = {f"{row['source']}/{row['path']}": row["state"] for row in report["documents"]}
    assert states == {
        "제안서/결제.md": "live",
        "제안서/기획서_v1.md": "superseded",
        "제안서/기획서_v2.md": "live",
        "규정/휴가.md": "live",
        "규정/휴가 사본.md": "duplicate",
        "규정/설정.csv": "live",
        "규정/깨진.docx": "failed",
        "규정/주간/당번.md": "expired",
    }


def test_gaps(ask: Ask) -> None:
    report = ask("gaps")
    assert misfits(report, GAPS) == [] and len(report["canaries"]) == 2


def test_a_run_of_the_canaries_has_the_shape_of_gaps(ask: Ask) -> None:
    assert misfits(ask("canaries", "run"), {"canaries": [CANARY]}) == []


def test_alerts(ask: Ask) -> None:
    report = ask("alerts")
    assert misfits(report, ALERTS) == [] and report["alerts"]


def test_doctor(ask: Ask) -> None:
    report = ask("doctor")
    assert misfits(report, DOCTOR) == []
    assert {check["name"] for check in report["checks"]} >= {"state", "sources", "ledger", "index", "mirror", "encoder"}


def test_show(ask: Ask) -> None:
    shape = {"source": str, "path": str, "lines": [int], "of": int, "text": str}
    assert misfits(ask("show", "제안서/결제.md", "--lines", "3-900"), shape) == []
    aside = {"kind": str, "page": MAYBE_NUMBER, "slide": MAYBE_NUMBER, "sheet": MAYBE_TEXT, "text": str}
    beside = {"source": str, "path": str, "counts": Counts(), "warnings": [str], "ocr_pages": [int], "apart": [aside]}
    assert misfits(ask("show", "제안서/결제.md", "--apart"), beside) == []


def test_before_the_first_refresh_the_shapes_are_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "saero.toml").write_text('[sources.docs]\npath = "docs"\n', encoding="utf-8")
    for command, shape in (("status", STATUS), ("documents", DOCUMENTS), ("gaps", GAPS), ("alerts", ALERTS)):
        main(["--config", str(tmp_path / "saero.toml"), command, "--json"])
        assert misfits(json.loads(capsys.readouterr().out), shape) == [], command
    assert not (tmp_path / ".saero").exists()
