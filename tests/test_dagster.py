"""The Dagster room: one night as the schedule launches it, one folder, a blocked night, a failed one."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import dagster as dg
import numpy as np
import pytest
from team import Team, prose

from assets.stages.mail import tell_failure

PROJECT = Path(__file__).resolve().parent.parent
SOURCES = {"제안서": "", "회의록/2026 상반기": 'path = "docs/회의록"'}
STAGES = ("parse", "dedup", "chunk", "embed", "index")

pytestmark = [pytest.mark.dagster, pytest.mark.filterwarnings("ignore::dagster.BetaWarning")]


class Room:
    """The definitions over a team's settings, with its stand-ins, on an instance in memory."""

    def __init__(self, team: Team) -> None:
        self.team = team
        self.defs = importlib.import_module("assets.definitions").defs
        self.jobs = importlib.import_module("assets.jobs")
        saero = importlib.import_module("assets.partitions").saero
        saero.cache_clear()
        ready = team.saero()
        saero().__dict__.update(encoder=ready.encoder, query_encoder=ready.query_encoder, pool=ready.pool)
        self.saero = saero()

    def run(self, job: str = "nightly_refresh", instance: dg.DagsterInstance | None = None, **more: Any) -> Any:
        if not more:
            more = {"tags": self.jobs.whole_range()}
        with instance or dg.DagsterInstance.ephemeral() as held:
            return self.defs.resolve_job_def(job).execute_in_process(instance=held, raise_on_error=False, **more)


@pytest.fixture(scope="module", autouse=True)
def imported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Import the room anew: partitions are those of the settings at that moment."""
    team = Team(tmp_path_factory.mktemp("import"), SOURCES)
    names = [name for name in sys.modules if name.startswith("assets.") and not name.startswith("assets.stages")]
    kept = {name: sys.modules.pop(name) for name in names}
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", dg.BetaWarning)
        patch.setenv("SAERO_CONFIG", str(team.home / "saero.toml"))
        importlib.import_module("assets.definitions")
    yield
    for name in [name for name in sys.modules if name.startswith("assets.") and "stages" not in name]:
        del sys.modules[name]
    sys.modules.update(kept)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    team = Team(tmp_path, SOURCES)
    team.file("회의록").mkdir(exist_ok=True)
    monkeypatch.setenv("SAERO_CONFIG", str(team.home / "saero.toml"))
    team.write("제안서/기획.md", prose("plan"))
    team.write("회의록/1월.md", prose("january"))
    return Room(team)


def materialized(result: Any) -> Counter[tuple[str, str | None]]:
    """Return how often each (asset, partition) was materialized."""
    events = result.get_asset_materialization_events()
    return Counter((event.asset_key.to_user_string(), event.partition) for event in events)


def order(result: Any) -> list[str]:
    return [event.step_key for event in result.get_step_success_events()]


def test_a_night_over_the_whole_range_is_one_run(room: Room) -> None:
    result = room.run()
    assert result.success
    folders = {(stage, source): 1 for stage in STAGES for source in SOURCES}
    assert materialized(result) == {**folders, ("gap_analysis", None): 1}
    assert set(room.team.served()) == {"제안서/기획.md", "회의록/2026 상반기/1월.md"}
    assert order(result).index("index") < order(result).index("gap_analysis")
    checks = {check.check_name: check.passed for check in result.get_asset_check_evaluations()}
    assert len(checks) == 13 and all(checks.values())


def test_a_night_without_changes_embeds_nothing(room: Room) -> None:
    room.run()
    count = len(room.team.encoder.embedded)
    assert room.run().success and len(room.team.encoder.embedded) == count


def test_one_folder_alone_leaves_the_others_as_they_were(room: Room) -> None:
    room.run()
    room.team.write("제안서/새.md", prose("new"))
    room.team.write("회의록/2월.md", prose("february"))
    result = room.run("refresh_folder", partition_key="제안서")
    assert result.success and set(materialized(result)) == {(stage, "제안서") for stage in STAGES}
    assert set(room.team.served()) == {"제안서/기획.md", "제안서/새.md", "회의록/2026 상반기/1월.md"}


def test_canaries_and_findings_run_alone(room: Room) -> None:
    room.run()
    result = room.run("analyse_gaps", tags={})
    assert result.success and set(materialized(result)) == {("gap_analysis", None)}


def test_the_schedule_asks_for_one_run_over_the_whole_range(room: Room) -> None:
    nightly = room.jobs.nightly
    assert (nightly.cron_schedule, nightly.execution_timezone) == ("0 2 * * *", "Asia/Seoul")
    assert nightly.default_status is dg.DefaultScheduleStatus.RUNNING
    at = datetime(2026, 12, 1, 2, tzinfo=ZoneInfo("Asia/Seoul"))
    tick = nightly.evaluate_tick(dg.build_schedule_context(scheduled_execution_time=at))
    (request,) = tick.run_requests
    first, last = list(SOURCES)
    assert request.run_key == "2026-12-01" and request.partition_key is None
    assert request.tags[room.jobs.RANGE_START] == first and request.tags[room.jobs.RANGE_END] == last


def tick(room: Room) -> dict[str, str]:
    """Return the tags with which the schedule launches a night."""
    at = datetime(2026, 12, 1, 2, tzinfo=ZoneInfo("Asia/Seoul"))
    (request,) = room.jobs.nightly.evaluate_tick(dg.build_schedule_context(scheduled_execution_time=at)).run_requests
    return dict(request.tags)


def test_a_night_reads_a_folder_that_came_after_the_daemon_had_started(room: Room) -> None:
    room.team.settings({**SOURCES, "새 폴더": ""})
    room.team.write("새 폴더/a.md", prose("new"))
    tags = tick(room)
    assert (tags[room.jobs.RANGE_START], tags[room.jobs.RANGE_END]) == tuple(SOURCES)  # the daemon knows no other
    room.saero.settings, room.saero.sources = room.team.saero().settings, room.team.saero().sources
    assert room.run(tags=tags).success and "새 폴더/a.md" in room.team.served()


def test_a_night_goes_on_when_a_source_has_left_the_settings(room: Room) -> None:
    first, last = list(SOURCES)
    room.team.settings({first: ""})
    assert tick(room)[room.jobs.RANGE_END] == first
    (room.team.home / "saero.toml").write_text("broken", encoding="utf-8")
    assert tick(room)[room.jobs.RANGE_END] == last


def test_a_failed_check_keeps_the_index_and_gap_analysis_still_runs(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.run()
    before = room.team.served()
    room.team.write("제안서/나쁨.md", prose("bad"))
    with monkeypatch.context() as patch:
        patch.setattr(room.team.encoder, "embed_query", lambda text: np.full(64, np.nan, np.float32))
        patch.setattr("assets.stages.rows.bad_rows", lambda rows, max_tokens: {})
        result = room.run()
    assert not result.success and room.team.served() == before
    failed = {check.check_name for check in result.get_asset_check_evaluations() if not check.passed}
    assert failed == {"vectors_unit_length"}
    assert ("gap_analysis", None) in materialized(result) and "index" not in order(result)
    assert '"last_failed": true' in room.saero.status_path.read_text(encoding="utf-8")
    assert room.run().success  # the rows are withheld one by one, the rest goes on
    assert ("row_withheld", "제안서/나쁨.md") in room.team.findings() and room.team.served() == before


def told(room: Room, result: Any, instance: dg.DagsterInstance) -> None:
    """Let the sensor see how a run ended."""
    sensor = importlib.import_module("assets.sensors").mail_on_failure
    context = dg.build_run_status_sensor_context(
        sensor_name="mail_on_failure",
        dagster_event=result.get_run_failure_event(),
        dagster_instance=instance,
        dagster_run=instance.get_run_by_id(result.run_id),
    )
    sensor(context.for_run_failure())


@pytest.mark.parametrize("by_itself", [False, True], ids=["by the sensor", "by the command line before"])
def test_a_failed_run_is_told_once(room: Room, monkeypatch: pytest.MonkeyPatch, by_itself: bool) -> None:
    room.run()
    before = room.team.mails()
    room.team.write("제안서/새.md", prose("new"))
    room.team.encoder.fail_after = 0
    with dg.DagsterInstance.ephemeral() as instance:
        tags = room.jobs.whole_range()
        job = room.defs.resolve_job_def("nightly_refresh")
        result = job.execute_in_process(instance=instance, raise_on_error=False, tags=tags)
        assert not result.success
        if by_itself:
            tell_failure(room.saero, run_id=result.run_id, stage="embed")
        told(room, result, instance)
        told(room, result, instance)
    assert room.team.mails().count("urgent") == before.count("urgent") + 1
    assert "embed" in newest_mail(room.team)
    assert room.team.ask("select outcome from runs order by started_at desc limit 1") == [{"outcome": "failed"}]
    room.team.encoder.fail_after = None
    assert room.run().success and "제안서/새.md" in room.team.served()


def test_a_night_of_the_schedule_that_does_not_come_again_is_told_once(room: Room) -> None:
    sensor = importlib.import_module("assets.sensors").mail_on_missing_run
    assert sensor.default_status is dg.DefaultSensorStatus.RUNNING and sensor.minimum_interval_seconds == 3600
    room.run(tags={**room.jobs.whole_range(), "dagster/schedule_name": room.jobs.nightly.name})
    room.run("analyse_gaps", tags={})
    with dg.build_sensor_context() as context:
        assert "no nightly run" in str(sensor.evaluate_tick(context).skip_message)
        with room.saero.ledger.transaction("test") as con:
            con.execute("update runs set ended_at = ended_at - interval 72 hours where job = 'nightly'")
            assert con.execute("select count(*) from runs where job = 'nightly'").fetchone() == (1,)
        for _ in range(2):
            assert "is missing" in str(sensor.evaluate_tick(context).skip_message)
    assert room.team.mails().count("urgent") == 1


def newest_mail(team: Team) -> str:
    """Return the text of the mail that was written last."""
    import email
    import email.policy

    path = max((team.home / "state" / "outbox").glob("*.eml"), key=lambda path: path.stat().st_mtime_ns)
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def dagster(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Dagster's own command line in a process of its own."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DAGSTER_HOME", "SAERO_CONFIG")}
    environment.update(variables, PYTHONWARNINGS="ignore", PYTHONUTF8="1", PYTHONPATH=str(PROJECT / "tests"))
    return subprocess.run(
        [sys.executable, "-m", "dagster", *arguments], cwd=PROJECT, env=environment, capture_output=True, text=True
    )


def test_dagster_validates_the_definitions() -> None:
    done = dagster("definitions", "validate")
    assert done.returncode == 0, done.stderr[-2000:]


def test_dagster_materializes_a_korean_partition(room: Room) -> None:
    done = dagster(
        *("asset", "materialize", "-m", "quick_definitions", "--select", "*", "--partition", "제안서"),
        SAERO_CONFIG=str(room.team.home / "saero.toml"),
        DAGSTER_HOME=str(PROJECT),
        SAERO_DAGSTER=str(room.team.home / "dagster"),
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert set(room.team.served()) == {"제안서/기획.md"}
