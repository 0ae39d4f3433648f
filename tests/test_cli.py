"""The command line as a person meets it: a clear message, the right exit code, never a traceback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from quick_corpus import COMMAND, refreshed_corpus
from quick_saero import QuickEncoder

from saero.cli import COMMANDS, main, saero

STRAY = "\udcff\ud800"  # a byte that isn't UTF-8, as Python hands it over, and a lone surrogate


@dataclass(frozen=True, slots=True)
class Said:
    code: int
    out: str
    err: str


Ask = Callable[..., Said]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return refreshed_corpus(tmp_path_factory)


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Call the command line in this process; anything that isn't its own way to end is a fault."""
    monkeypatch.setattr("resources.encoder.QueryEncoder", QuickEncoder)

    def call(*args: str, config: Path) -> Said:
        code = 0
        try:
            main(["--config", str(config / "saero.toml"), *args])
        except SystemExit as end:
            code = int(end.code or 0)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Said(code, captured.out, captured.err)

    return call


@pytest.fixture
def own(shared: Path, tmp_path: Path) -> Path:
    """A copy of the refreshed corpus that a test may change."""
    return Path(shutil.copytree(shared, tmp_path / "own"))


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """Settings and a folder, but no refresh yet."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "saero.toml").write_text('[sources.docs]\npath = "docs"\n', encoding="utf-8")
    return tmp_path


# Calls that are wrong


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["nonsense"], "nonsense"),
        (["refresh", "--nonsense"], "--nonsense"),
        (["refresh", "--source", "없음"], "제안서, 규정"),
        (["refresh", "--accept-deletions", "없음"], "제안서, 규정"),
        (["refresh", "--forget", "규정"], "still names"),
        (["refresh", "--forget", "없음"], "제안서, 규정"),
        (["refresh", "--plan", "--forget", "없음"], "제안서, 규정"),
        (["refresh", "--stop-by", "25:00"], "no time of day such as 07:00"),
        (["search"], "QUERY"),
        (["search", ""], "empty"),
        (["search", " \t\n"], "empty"),
        (["search", "휴가", "--source", "없음"], "제안서, 규정"),
        (["search", "휴가", "--source", STRAY], "제안서, 규정"),
        (["search", "휴가", "--top-k", "0"], "--top-k"),
        (["search", "휴가", "--topk", "3"], "--topk"),
        (["search", "-환불"], "only filters"),
        (["search", "휴가", "--min-score", "2"], "--min-score"),
        (["search", "휴가", "--mode", "magic"], "--mode"),
        (["search", "휴가", "--include", "gone"], "superseded, expired"),
        (["show", "없음/휴가.md"], "제안서, 규정"),
        (["show", "규정"], "제안서, 규정"),
        (["show", "규정/"], "제안서, 규정"),
        (["show", "규정/없음.md"], "saero documents"),
        (["show", f"규정/{STRAY}"], "saero documents"),
        (["show", "규정/휴가.md", "--lines", "3-1"], "3-1"),
        (["show", "규정/휴가.md", "--lines", "0"], "0"),
        (["show", "규정/휴가.md", "--lines", "-3"], "--lines"),
        (["show", "규정/휴가.md", "--lines", "900"], "3 lines"),
        (["documents", "--state", "lost"], "--state"),
        (["documents", "--source", "없음"], "제안서, 규정"),
        (["documents", "renew", "규정/휴가.md"], "--until"),
        (["documents", "renew", "규정/휴가.md", "--until", "내일"], "2027-01-31"),
        (["documents", "renew", "규정/휴가.md", "--until", "2020-01-01"], "past"),
        (["documents", "renew", "규정/휴가.md", "--until", "0001-01-01"], "past"),
        (["documents", "renew", "규정/휴가.md", "--until", "9999-12-31"], "far"),
        (["documents", "renew", "규정/없음.md", "--until", "2099-01-01"], "saero documents"),
        (["canaries", "add", " "], "empty"),
        (["canaries", "add", "휴가", "--min-score", "7"], "--min-score"),
        (["canaries", "accept", "nonsense"], "saero canaries"),
        (["canaries", "remove", "nonsense"], "saero canaries"),
        (["alerts", "mute", "nonsense", "--until", "2099-01-01"], "unsearched"),
        (["alerts", "mute", "unsearched", "--until", "9999-12-31"], "far"),
        (["rollback"], "no earlier version"),
        (["init", "nowhere"], "saero.toml"),
    ],
)  # fmt: skip
def test_a_wrong_call_ends_with_2_and_names_what_is_wrong(shared: Path, ask: Ask, args: list[str], named: str) -> None:
    said = ask(*args, config=shared)
    assert (said.code, said.out) == (2, "")
    assert named in said.err


@pytest.mark.parametrize(
    "path", ["규정/../../../saero.toml", "규정/..", "규정/../제안서/결제.md", "규정//etc/passwd", "규정/./휴가.md"]
)
def test_show_stays_inside_the_text_versions(shared: Path, ask: Ask, path: str) -> None:
    said = ask("show", path, config=shared)
    assert (said.code, said.out) == (2, "") and "no text version" in said.err


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[sources.docs\n", "TOML"),
        ('[sources.docs]\npath = "docs"\npaht = "x"\n', "paht"),
        ('[sources.docs]\npath = "docs"\n[mail]\npassword = "x"\n', "SAERO_MAIL__PASSWORD"),
        ('[sources.docs]\npath = "docs"\nttl = [{match = "*", after = "14 days"}]\n', "after"),
        ('[sources.docs]\npath = "docs"\n[schedule]\ntimezone = "Seoul"\n', "timezone"),
    ],
)
@pytest.mark.parametrize("command", ["refresh", "search x", "status", "documents", "gaps", "alerts", "doctor"])
def test_wrong_settings_end_with_2_and_name_the_key(fresh: Path, ask: Ask, text: str, named: str, command: str) -> None:
    (fresh / "saero.toml").write_text(text, encoding="utf-8")
    said = ask(*command.split(), config=fresh)
    assert (said.code, said.out) == (2, "")
    assert named in said.err and "saero.toml" in said.err


@pytest.mark.parametrize(
    ("text", "named"),
    [("", "saero init"), ('[sources.a]\npath = "docs"\n[sources.b]\npath = "docs"\n', "sources.b")],
)
@pytest.mark.parametrize("command", ["refresh", "status", "doctor"])
def test_sources_that_cannot_be_are_named(fresh: Path, ask: Ask, text: str, named: str, command: str) -> None:
    (fresh / "saero.toml").write_text(text, encoding="utf-8")
    said = ask(command, config=fresh)
    assert (said.code, said.out) == (2, "") and named in said.err


def test_settings_that_are_not_there_name_init(tmp_path: Path, ask: Ask) -> None:
    for command in ("refresh", "status", "ui"):
        said = ask(command, config=tmp_path)
        assert said.code == 2 and "saero init" in said.err


# Before the first refresh


def test_before_the_first_refresh_search_names_refresh(fresh: Path, ask: Ask) -> None:
    for args in (["search", "휴가"], ["canaries", "run"], ["show", "docs/휴가.md"]):
        said = ask(*args, config=fresh)
        assert said.code == 2 and "saero refresh" in said.err


def test_looking_makes_nothing(fresh: Path, ask: Ask) -> None:
    for command in ("status", "documents", "canaries", "gaps", "alerts"):
        assert ask(command, config=fresh).code == 0
    assert ask("doctor", config=fresh).code == 1
    assert not (fresh / ".saero").exists()


def test_a_source_that_no_run_has_seen_is_not_called_out_of_reach(fresh: Path, ask: Ask) -> None:
    assert json.loads(ask("status", "--json", config=fresh).out)["sources"][0]["reachable"] is True
    (fresh / "docs").rmdir()
    assert json.loads(ask("status", "--json", config=fresh).out)["sources"][0]["reachable"] is False


# Questions that nobody meant


@pytest.mark.parametrize(
    "query",
    [
        "???", "...", "'", '"', "\\", "%", "*", "' OR 1=1; --", "'); drop table documents; --", "AND OR NOT",
        "NEAR(a b)", "+-()[]{}^~:", "휴가 \x01\x02\x7f", f"{STRAY} 휴가", STRAY, "가나 " * 5000, "\u200b\ufeff", "🙂",
        "\u1112\u1161", unicodedata.normalize("NFD", "휴가 규정"), "--", "a" * 100_000,
    ],
)  # fmt: skip
def test_any_question_gets_an_answer(shared: Path, ask: Ask, query: str) -> None:
    said = ask("search", "--json", "--all", "--", query, config=shared)
    assert said.code == 0 and json.loads(said.out)["query"]


def test_a_question_typed_decomposed_finds_the_same(shared: Path, ask: Ask) -> None:
    plain = ask("search", "휴가 규정", "--json", config=shared)
    typed = ask("search", unicodedata.normalize("NFD", "휴가 규정"), "--json", config=shared)
    assert json.loads(plain.out)["results"] == json.loads(typed.out)["results"] != []


def test_a_source_typed_decomposed_is_known(shared: Path, ask: Ask) -> None:
    name = unicodedata.normalize("NFD", "규정")
    assert ask("search", "휴가", "--source", name, config=shared).code == 0
    assert "휴가.md" in ask("documents", "--source", name, config=shared).out
    assert "신청" in ask("show", unicodedata.normalize("NFD", "규정/휴가.md"), config=shared).out


def test_a_range_beyond_the_end_shows_what_is_there(shared: Path, ask: Ask) -> None:
    said = ask("show", "규정/휴가.md", "--lines", "3-999999999999999999999", config=shared)
    assert said == Said(0, "휴가는 7일 전까지 신청합니다.\n", "")


def test_what_stands_beside_the_text_is_shown_on_request(shared: Path, ask: Ask) -> None:
    assert "확인함" not in ask("show", "규정/휴가.md", config=shared).out
    assert ask("show", "규정/휴가.md", "--apart", config=shared).out == "메모: 1\n\n[메모]\n인사팀이 확인함\n"
    assert ask("show", "규정/휴가.md", "--apart", "--lines", "1", config=shared).code == 2
    assert ask("show", "규정/없음.md", "--apart", config=shared).code == 2


def test_a_superseded_document_is_found_on_request(shared: Path, ask: Ask) -> None:
    words = ("search", "예산은 3억 원", "--all", "--top-k", "9")
    assert "_v1" not in ask(*words, config=shared).out
    assert "_v1" in ask(*words, "--include", "superseded", config=shared).out


def test_a_question_may_say_where_its_answer_stands_and_what_it_must_hold(shared: Path, ask: Ask) -> None:
    def found(question: str, *more: str) -> set[str]:
        said = ask("search", "--all", "--json", *more, "--", question, config=shared)
        return {hit["path"] for hit in json.loads(said.out)["results"]}

    for mode in ("hybrid", "text", "vector"):
        assert found("정산 source:규정", "--mode", mode) <= {"휴가.md", "설정.csv"}
        assert found('정산 "읽기 타임아웃"', "--mode", mode) <= {"결제.md"}
        assert "설정.csv" not in found("타임아웃 -재시도", "--mode", mode)
        assert found("타임아웃 path:*.csv", "--mode", mode) == {"설정.csv"}
        assert found("타임아웃 after:2199-01-01", "--mode", mode) == set()
    assert ask("search", "정산 source:없음", config=shared).code == 2
    assert "only filters" in ask("search", "source:규정", config=shared).err
    assert "no day such as" in ask("search", "정산 after:어제", config=shared).err


# A damaged state


def test_a_damaged_publication_names_refresh(own: Path, ask: Ask) -> None:
    for content in (b"", b"{", b"[1]", b"null", b"\xff\xfe", b'{"table": "x"}', b"{}" * 9):
        (own / ".saero/index/published.json").write_bytes(content)
        for args in (["search", "휴가"], ["canaries", "run"], ["rollback"]):
            said = ask(*args, config=own)
            assert said.code == 1 and "published.json" in said.err and "saero refresh" in said.err, content
    said = ask("doctor", config=own)
    assert said.code == 1 and "saero refresh" in said.out


def test_a_missing_table_names_refresh(own: Path, ask: Ask) -> None:
    for table in (own / ".saero/index").glob("*.lance"):
        shutil.rmtree(table)
    said = ask("search", "휴가", config=own)
    assert said.code == 1 and "saero refresh" in said.err


def test_a_file_cut_off_by_a_full_disk_is_told_as_one(own: Path, ask: Ask) -> None:
    for data in (own / ".saero/index").rglob("data/*.lance"):
        data.write_bytes(data.read_bytes()[: data.stat().st_size // 2])
    said = ask("search", "휴가", config=own)
    assert said.code == 1 and "disk is full" in said.err and "saero refresh" in said.err
    assert ask("refresh", config=own).code == 0
    assert ask("search", "휴가", config=own).code == 0


def test_a_missing_index_is_as_before_the_first_refresh(own: Path, ask: Ask) -> None:
    shutil.rmtree(own / ".saero/index")
    assert ask("search", "휴가", config=own).code == 2
    index = json.loads(ask("status", "--json", config=own).out)["index"]
    assert index["version"] is None and index["missing"] > 0
    assert index["with_vectors"] == 1.0  # a wiped index has lost no vector: the ledger keeps them


def test_missing_text_versions_are_noticed_and_written_again(own: Path, ask: Ask) -> None:
    shutil.rmtree(own / ".saero/parsed")
    assert json.loads(ask("search", "휴가", "--json", config=own).out)["results"][0]["snippet"]
    assert ask("show", "규정/휴가.md", config=own).code == 2
    assert ask("doctor", config=own).code == 1
    assert ask("doctor", "--fix", config=own).code == 0
    assert "신청" in ask("show", "규정/휴가.md", config=own).out


def test_a_damaged_ledger_is_named_and_search_goes_on(own: Path, ask: Ask) -> None:
    (own / ".saero/ledger.duckdb").write_bytes(b"no database" * 1000)
    for command in ("status", "documents", "gaps", "alerts", "canaries"):
        said = ask(command, config=own)
        assert said.code == 1 and "ledger.duckdb" in said.err, command
    assert ask("doctor", config=own).code == 1
    assert ask("search", "휴가", config=own).code == 0


def test_a_damaged_side_file_is_as_if_it_were_missing(own: Path, ask: Ask) -> None:
    for content in (b"", b"{", b"[]", b"null", b"\xff", b'{"pid": "x"}'):
        for name in ("status.json", "run.json", "sources.json"):
            (own / ".saero" / name).write_bytes(content)
        assert ask("status", config=own).code == 0, content
        assert ask("search", "휴가", config=own).code == 0, content


# Commands that change something


def test_a_renewal_is_written_down(own: Path, ask: Ask) -> None:
    said = ask("documents", "renew", "규정/주간/당번.md", "--until", "2099-12-31", "--json", config=own)
    assert json.loads(said.out)["expires_at"] == "2099-12-31T15:00:00+00:00"


def test_a_canary_comes_and_goes(own: Path, ask: Ask) -> None:
    key = json.loads(ask("canaries", "add", "휴가는 7일 전까지 신청합니다", "--json", config=own).out)["canary_id"]
    assert ask("canaries", "add", "휴가는  7일 전까지 신청합니다", config=own).code == 2
    assert "규정/휴가.md" in ask("canaries", "accept", key, config=own).out
    assert key in ask("canaries", config=own).out
    assert ask("canaries", "remove", key, config=own).code == 0
    assert ask("canaries", "remove", key, config=own).code == 2


def test_a_mute_is_shown_and_ended(own: Path, ask: Ask) -> None:
    for until, mail in (("2099-12-31", "muted"), ("2020-01-01", "file")):
        ask("alerts", "mute", "unsearched", "--until", until, config=own)
        alerts = json.loads(ask("alerts", "--json", config=own).out)["alerts"]
        assert {row["mail"] for row in alerts if row["kind"] == "unsearched"} == {mail}
    assert ask("alerts", "--send", config=own).code == 0


# Outputs


def test_a_relative_config_is_found_from_another_folder(
    shared: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shared / "규정")
    assert ask("show", "규정/휴가.md", config=Path("..")).code == 0
    monkeypatch.setenv("SAERO_CONFIG", "../saero.toml")
    main(["show", "규정/휴가.md"])


def run(cwd: Path, *args: str, **kwargs: object) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, **kwargs.pop("env", {})}  # type: ignore[dict-item]
    return subprocess.run([*COMMAND, *args], cwd=cwd, env=environment, stderr=subprocess.PIPE, timeout=120, **kwargs)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"}])
def test_korean_survives_a_posix_locale(shared: Path, locale: dict[str, str]) -> None:
    result = run(shared, "show", "규정/휴가.md", stdout=subprocess.PIPE, env=locale)
    assert result.returncode == 0 and "신청합니다" in result.stdout.decode("utf-8")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp949"])
def test_another_code_page_gets_codes_and_whole_json(shared: Path, encoding: str) -> None:
    page = {"PYTHONIOENCODING": encoding}
    assert run(shared, "documents", stdout=subprocess.PIPE, env=page).returncode == 0
    result = run(shared, "documents", "--json", stdout=subprocess.PIPE, env=page)
    assert {row["source"] for row in json.loads(result.stdout)["documents"]} == {"제안서", "규정"}


def test_a_closed_pipe_is_no_fault(shared: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        result = run(shared, "documents", "--json", stdout=closed)
    assert result.returncode == 1 and result.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_under_the_output_is_said(shared: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        result = run(shared, "documents", "--json", stdout=full)
    assert result.returncode == 1 and b"Traceback" not in result.stderr and b"No space left" in result.stderr


def test_every_command_has_help(ask: Ask, tmp_path: Path) -> None:
    assert all(name in ask("--help", config=tmp_path).out for name in COMMANDS)
    for name in COMMANDS:
        said = ask(name, "--help", config=tmp_path)
        assert said.code == 0 and said.out.startswith("Usage: saero")


def test_the_list_of_commands_says_what_the_commands_say() -> None:
    context = click.Context(saero)
    for name, short in COMMANDS.items():
        command = saero.get_command(context, name)
        assert command is not None and command.short_help == short
        if name not in ("init", "ui"):
            assert any("--json" in parameter.opts for parameter in command.params), name


def test_the_module_runs_as_the_command_does(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "saero.cli", "--version"], capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout.startswith("saero, version")
