"""Canaries from files and from what people asked: all or none, and never twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from team import Team, prose

from resources.build import Saero
from saero.cli import main

GOOD = """query,min_score,expect_path,expect_text,owner,critical,must_fail
결제 타임아웃 설정값,0.3,개발/결제.md,"30초, 5초",dev@example.com,true,
연차 이월 한도,,,,,,
화성 지사 주소,,,,,FALSE,yes
"""


@pytest.fixture(scope="module")
def refreshed(tmp_path_factory: pytest.TempPathFactory) -> Team:
    team = Team(tmp_path_factory.mktemp("sets"), rest="[search_log]\ntext = true\n")
    team.write(
        "개발/결제.md", "# 결제 연동\n\n## 타임아웃 설정\n\n설정값 안내: 결제 타임아웃은 읽기 30초, 연결 5초이다.\n"
    )
    team.write("정책/연차.md", "# 연차 규정\n\n" + "\n\n".join(prose("leave", 2)))
    team.night()
    return team


@pytest.fixture
def team(refreshed: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    team = refreshed.twin(tmp_path)
    monkeypatch.setattr(Saero, "query_encoder", team.encoder, raising=False)
    return team


def call(team: Team, *args: str) -> int:
    try:
        main(["--config", str(team.home / "saero.toml"), *args])
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def saero(team: Team, capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    capsys.readouterr()
    assert call(team, *args, "--json") == 0
    return json.loads(capsys.readouterr().out)


def canaries(team: Team) -> dict[str, dict[str, Any]]:
    return {row["query"]: row for row in team.ask("select * from canaries where removed_at is null")}


def file(team: Team, content: str | bytes, name: str = "set.csv") -> str:
    path = team.home / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return str(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_is_read_as_spreadsheets_write_it(
    team: Team, capsys: pytest.CaptureFixture[str], encoding: str, mark: str
) -> None:
    text = GOOD if mark == "," else GOOD.replace('"30초, 5초"', "30초").replace(",", mark)
    report = saero(team, capsys, "canaries", "import", file(team, text.replace("\n", "\r\n").encode(encoding)))
    assert len(report["added"]) == 3 and report["duplicates"] == []
    row = canaries(team)["결제 타임아웃 설정값"]
    assert (row["min_score"], row["expect_path"], row["critical"]) == (0.3, "개발/결제.md", True)
    assert row["expect_text"] == ("30초, 5초" if mark == "," else "30초")
    assert canaries(team)["화성 지사 주소"]["must_fail"]
    assert canaries(team)["연차 이월 한도"]["min_score"] == 0.75


def test_what_is_listed_can_be_read_back(team: Team, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(team, "canaries", "import", file(team, GOOD + '"=결제 합계",,,-5도 이하,,,\n')) == 0
    before = canaries(team)
    capfdbinary.readouterr()
    assert call(team, "canaries", "--csv") == 0
    listed = capfdbinary.readouterr().out
    with team.saero().ledger.transaction("test") as con:
        con.execute("delete from canaries")
    assert call(team, "canaries", "import", file(team, listed)) == 0
    fields = ("min_score", "expect_path", "expect_text", "owner", "critical", "must_fail")
    for query, row in before.items():
        assert {name: canaries(team)[query][name] for name in fields} == {name: row[name] for name in fields}


def test_toml_is_read_as_the_settings_are(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    text = '[[canaries]]\nquery = "연차 이월"\n\n[[canaries]]\nquery = "결제"\ncritical = true\n'
    assert len(saero(team, capsys, "canaries", "import", file(team, text, "set.toml"))["added"]) == 2
    assert canaries(team)["결제"]["critical"]


def test_every_bad_row_is_named_and_nothing_is_added(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        GOOD
        + '"두 줄\n질문",2,,,,,\n,0.5,,,,,\n질문 셋,,,,nobody,,\n질문 넷,,,,,maybe,\nafter:어제 결제,,,,,,\n'
        + "하나,,,,,,,,더\n"
    )
    assert call(team, "canaries", "import", file(team, text)) == 2
    said = capsys.readouterr().err
    for line in (5, 7, 8, 9, 10, 11):
        assert f"line {line}: " in said
    assert "nothing was imported" in said
    assert canaries(team) == {}


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        ("question\n결제\n", "a.csv", "no column query"),
        ("query,minimum\n결제,1\n", "a.csv", "unknown column minimum"),
        ("query,query\n결제,1\n", "a.csv", "stands twice"),
        ("query\n", "a.csv", "no canary"),
        ("", "a.csv", "no column query"),
        ("[canaries]\nquery = 1\n", "a.toml", "as a table"),
        ('[[canaries]]\nquery = "a"\n[[canaries]]\nquery = "b"\nmin = 1\n', "a.toml", "line 3: min: unknown key"),
        ("= 1", "a.toml", "not readable as TOML"),
    ],
)
def test_a_file_of_another_kind_says_what_is_asked(
    team: Team, capsys: pytest.CaptureFixture[str], text: str, name: str, why: str
) -> None:
    assert call(team, "canaries", "import", file(team, text, name)) == 2
    assert why in capsys.readouterr().err


def test_a_file_that_is_not_there_or_not_text_is_refused(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(team, "canaries", "import", str(team.home / "none.csv")) == 2
    assert call(team, "canaries", "import", file(team, b"query\n\xff\xff\xff\n")) == 2
    assert "save it as UTF-8" in capsys.readouterr().err


def test_duplicates_are_told_and_left_as_they_are(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    saero(team, capsys, "canaries", "add", "연차 이월 한도", "--min-score", "0.2")
    report = saero(team, capsys, "canaries", "import", file(team, GOOD + "화성 지사  주소,,,,,FALSE,yes\n"))
    assert [(one["line"], one["of"]) for one in report["duplicates"]] == [(3, None), (5, 4)]
    assert canaries(team)["연차 이월 한도"]["min_score"] == 0.2
    assert len(canaries(team)) == 3


def test_one_question_with_two_expectations_is_an_error(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(team, "canaries", "import", file(team, GOOD + "화성 지사 주소,,,,,,\n")) == 2
    assert "line 5: the question of line 4 again" in capsys.readouterr().err
    assert canaries(team) == {}


# Suggestions


def test_suggestions_come_from_feedback_questions_and_headings(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    saero(team, capsys, "search", "화성 지사 주소")
    chunk = next(row["chunk_id"] for row in team.rows() if row["path"] == "연차.md")
    saero(team, capsys, "feedback", chunk, "+1", "--query", "연차 이월 한도")
    team.night()
    found = saero(team, capsys, "canaries", "suggest")["suggestions"]
    assert [(one["why"], one["query"], one["expect_path"]) for one in found] == [
        ("feedback", "연차 이월 한도", "정책/연차.md"),
        ("question", "화성 지사 주소", ""),
        ("heading", "결제 연동 타임아웃 설정", "개발/결제.md"),
        ("heading", "연차 규정", "정책/연차.md"),
    ]
    assert found[1]["score"] < 0.5 and found[1]["times"] == 1
    ids = [found[0]["canary_id"], found[2]["canary_id"]]
    assert len(saero(team, capsys, "canaries", "suggest", "--add", ids[0], "--add", ids[1])["added"]) == 2
    assert canaries(team)["연차 이월 한도"]["expect_path"] == "정책/연차.md"
    team.night()
    left = saero(team, capsys, "canaries", "suggest")["suggestions"]
    assert not {one["canary_id"] for one in left} & set(ids)
    assert call(team, "canaries", "suggest", "--add", "none") == 2


# Sets and versions


def test_a_set_in_which_every_canary_scores_1_is_called_out(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    for query in ("결제 타임아웃은 읽기 30초", "연결 5초이다", "설정값 안내"):
        saero(team, capsys, "canaries", "add", query)
    team.night()
    team.night()
    for command in (["gaps"], ["canaries"]):
        assert call(team, *command) == 0
        assert "만점" in capsys.readouterr().out
    saero(team, capsys, "canaries", "add", "연차 며칠")
    team.night()
    assert call(team, "gaps") == 0
    assert "만점" not in capsys.readouterr().out


def test_two_versions_are_compared(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    saero(team, capsys, "canaries", "add", "결제 타임아웃 설정값", "--min-score", "0.3")
    team.write("개발/다른.md", prose("other", 2))  # an emptied folder would be held
    team.night()
    first = team.saero().reader().record.version
    assert call(team, "canaries", "run", "--against", "999") == 2
    team.file("개발/결제.md").unlink()
    team.night()
    now = team.saero().reader().record
    report = saero(team, capsys, "canaries", "run", "--against", str(first))
    assert (report["version"], report["against"]) == (now.version, first)
    assert report["canaries"][0]["change"] == "worse"
    assert report["canaries"][0]["against"]["top"]["path"] == "결제.md"
    assert call(team, "canaries", "run", "--against", "999") == 2
    assert f"version {first} is kept" in capsys.readouterr().err
    assert call(team, "canaries", "run", "--against", str(first)) == 0
