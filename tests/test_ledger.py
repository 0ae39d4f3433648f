"""The ledger keeps everything or nothing of a transaction, and says in words why it can't be used."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipelines.errors import Broken, Busy, TryAgain
from resources.ledger import Ledger, connection
from resources.ledger.rows import fetch, insert, one, update

PROJECT = Path(__file__).resolve().parent.parent
NOW = datetime(2026, 11, 30, 2, 0, 0, 123456, tzinfo=UTC)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "state", wait_seconds=0)


def findings(ledger: Ledger) -> list[str]:
    with ledger.transaction() as con:
        return [row["finding_id"] for row in fetch(con, "select finding_id from findings order by 1")]


def add(ledger: Ledger, *names: str) -> None:
    with ledger.transaction() as con:
        insert(con, "findings", [{"finding_id": name} for name in names])


def other_process(program: str, *args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *args],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def test_what_was_committed_is_there_for_the_next(ledger: Ledger) -> None:
    assert not ledger.exists
    add(ledger, "a")
    assert ledger.exists
    assert findings(Ledger(ledger.path.parent)) == ["a"]


def test_a_session_keeps_what_each_of_its_transactions_committed(ledger: Ledger) -> None:
    with pytest.raises(KeyError), ledger.session():
        add(ledger, "a")
        with pytest.raises(ValueError), ledger.transaction() as con:
            insert(con, "findings", [{"finding_id": "b"}])
            raise ValueError
        add(ledger, "c")
        raise KeyError
    assert findings(ledger) == ["a", "c"]


def test_a_session_keeps_others_out_until_it_ends(ledger: Ledger) -> None:
    other = Ledger(ledger.path.parent, wait_seconds=0)
    with ledger.session("gap"):
        add(ledger, "a")
        with pytest.raises(Busy, match="gap"):
            findings(other)
    assert findings(other) == ["a"]


def test_an_exception_leaves_nothing_behind(ledger: Ledger) -> None:
    add(ledger, "a")
    with pytest.raises(ZeroDivisionError), ledger.transaction() as con:
        insert(con, "findings", [{"finding_id": "b"}])
        con.execute("delete from findings where finding_id = 'a'")
        raise ZeroDivisionError
    assert findings(ledger) == ["a"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_interrupt_leaves_nothing_behind(ledger: Ledger, stop: type[BaseException]) -> None:
    with pytest.raises(stop), ledger.transaction() as con:
        insert(con, "findings", [{"finding_id": "b"}])
        raise stop
    assert findings(ledger) == []


def test_a_swallowed_error_does_not_pass_for_a_commit(ledger: Ledger) -> None:
    with pytest.raises(Broken, match="aborted"), ledger.transaction() as con:
        insert(con, "findings", [{"finding_id": "a"}])
        with suppress(duckdb.Error):
            con.execute("select cast('x' as integer)")
    assert findings(ledger) == []


def test_a_transaction_inside_another_is_refused(ledger: Ledger) -> None:
    with pytest.raises(Broken, match="inside another"), ledger.transaction(), ledger.transaction():
        pass
    assert findings(ledger) == []


def test_a_process_that_is_killed_leaves_its_transaction_undone(ledger: Ledger) -> None:
    add(ledger, "a")
    other = other_process(
        "import sys, time\nfrom pathlib import Path\nfrom resources.ledger import Ledger\n"
        "with Ledger(Path(sys.argv[1])).transaction() as con:\n"
        "    con.execute(\"insert into findings (finding_id) values ('b')\")\n"
        "    print('there', flush=True)\n    sys.stdin.read()\n",
        str(ledger.path.parent),
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == "there\n"
        with pytest.raises(Busy, match=rf"held by process {other.pid} on "):
            findings(ledger)
        other.send_signal(signal.SIGKILL)
    assert findings(ledger) == ["a"]


def test_two_processes_lose_no_transaction(ledger: Ledger) -> None:
    program = (
        "import sys\nfrom pathlib import Path\nfrom resources.ledger import Ledger\n"
        "ledger = Ledger(Path(sys.argv[1]))\n"
        "for number in range(50):\n"
        "    with ledger.transaction() as con:\n"
        "        con.execute('insert into findings (finding_id) values (?)', [f'{sys.argv[2]}{number:02}'])\n"
    )
    both = [other_process(program, str(ledger.path.parent), name) for name in "ab"]
    for one_of_them in both:
        with one_of_them:
            one_of_them.communicate(timeout=120)
        assert one_of_them.returncode == 0
    assert findings(ledger) == [f"{name}{number:02}" for name in "ab" for number in range(50)]


def test_migrations_are_applied_once_and_numbered_without_gaps(ledger: Ledger) -> None:
    for _ in range(2):
        with ledger.transaction() as con:
            applied = [row["number"] for row in fetch(con, "select number from schema_migrations order by 1")]
    assert applied == [number for number, _ in connection.migrations()] == list(range(1, len(applied) + 1))


def test_a_new_migration_is_applied_to_an_old_ledger(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    add(ledger, "a")
    known = connection.migrations()
    grown = [*known, (len(known) + 1, "alter table findings add column mood varchar; update findings set mood = 'new'")]
    monkeypatch.setattr(connection, "migrations", lambda: grown)
    with ledger.transaction() as con:
        assert fetch(con, "select finding_id, mood from findings") == [{"finding_id": "a", "mood": "new"}]


def test_a_migration_that_fails_changes_nothing(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    add(ledger, "a")
    known = connection.migrations()
    bad = [*known, (len(known) + 1, "delete from findings; select * from no_such_table")]
    with monkeypatch.context() as patch:
        patch.setattr(connection, "migrations", lambda: bad)
        with pytest.raises(Broken, match="no_such_table"):
            findings(ledger)
    assert findings(ledger) == ["a"]


def test_a_ledger_of_a_newer_saero_is_refused_untouched(ledger: Ledger) -> None:
    add(ledger, "a")
    with ledger.transaction() as con:
        con.execute("insert into schema_migrations values (999, now())")
    before = ledger.path.read_bytes()
    with pytest.raises(Broken, match=r"has schema 999, this saero knows \d+.*update saero"):
        findings(ledger)
    assert ledger.path.read_bytes() == before


@pytest.mark.parametrize("damage", ["emptied", "overwritten", "cut", "flipped"])
def test_a_damaged_ledger_is_said_and_named(ledger: Ledger, damage: str) -> None:
    add(ledger, *(f"{number}" for number in range(5000)))
    whole = ledger.path.read_bytes()
    flipped = whole[:12288] + bytes(byte ^ 255 for byte in whole[12288:])
    damaged = {
        "emptied": b"",
        "overwritten": b"not a ledger" * 999,
        "cut": whole[: len(whole) // 2],
        "flipped": flipped,
    }
    ledger.path.write_bytes(damaged[damage])
    with pytest.raises(Broken, match=r"ledger\.duckdb: damaged; move it "):
        findings(ledger)
    ledger.path.write_bytes(whole)
    assert len(findings(ledger)) == 5000


def test_a_folder_in_place_of_the_ledger_is_named(ledger: Ledger) -> None:
    ledger.path.mkdir(parents=True)
    with pytest.raises(Broken, match=r"ledger\.duckdb"):
        findings(ledger)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_ledger_without_permission_is_said(ledger: Ledger) -> None:
    add(ledger, "a")
    ledger.path.chmod(0o400)
    with pytest.raises(Broken, match="no permission"):
        add(ledger, "b")


def test_another_program_in_the_ledger_is_told_apart_from_damage(ledger: Ledger) -> None:
    add(ledger, "a")
    other = other_process(
        "import sys, duckdb\ncon = duckdb.connect(sys.argv[1])\nprint('open', flush=True)\nsys.stdin.read()\n",
        str(ledger.path),
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(TryAgain, match="opened by another program"):
            findings(ledger)
    assert findings(ledger) == ["a"]


FILL = """
import resource, signal, sys
from pathlib import Path
from pipelines.errors import TryAgain
from resources.ledger import Ledger
from resources.ledger.rows import insert
ledger = Ledger(Path(sys.argv[1]))
if sys.argv[2] == "limit":  # stands in for a quota: a file may not grow beyond 4 MiB
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 20, 4 << 20))
import random
try:
    for step in range(50):
        noise = [random.randbytes(20000).hex() for _ in range(20)]
        with ledger.transaction() as con:
            insert(con, "texts", [{"chunk_hash": f"{step}-{i}", "text": text} for i, text in enumerate(noise)])
        print(step, flush=True)
except TryAgain as error:
    print(error, flush=True)
    sys.exit(75)
"""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 4 MiB; only root can make one."""
    folder = tmp_path / "small"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "saero-test", str(folder)], check=False, capture_output=True
    )
    if made.returncode != 0:
        pytest.skip("a file system can't be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(state: Path, how: str) -> tuple[list[int], str]:
    """Write until it ends; return the committed steps and what was said."""
    other = other_process(FILL, str(state), how)
    with other:
        said, _ = other.communicate(timeout=120)
    assert other.returncode == 75, said
    *steps, message = said.splitlines()
    return [int(step) for step in steps], message


def assert_nothing_was_lost(state: Path, steps: list[int]) -> None:
    with Ledger(state).transaction() as con:
        kept = fetch(
            con,
            "select split_part(chunk_hash, '-', 1)::integer as step, count(*) as n from texts group by 1 order by 1",
        )
    assert steps
    assert kept == [{"step": step, "n": 20} for step in steps]


def test_a_full_disk_is_said_and_every_commit_stays(small_disk: Path, tmp_path: Path) -> None:
    steps, message = fill(small_disk, "disk")
    assert "ledger.duckdb: the disk is full" in message
    roomy = tmp_path / "roomy"
    roomy.mkdir()
    for name in ("ledger.duckdb", "ledger.duckdb.wal"):
        if (small_disk / name).exists():
            (roomy / name).write_bytes((small_disk / name).read_bytes())
    assert_nothing_was_lost(roomy, steps)


BEGIN = """
import resource, signal, sys
from pathlib import Path
from pipelines.errors import TryAgain
from resources.ledger import Ledger
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    with Ledger(Path(sys.argv[1])).transaction():
        pass
except TryAgain as error:
    print(error, flush=True)
    sys.exit(75)
"""


@pytest.mark.parametrize("room", [0, 1_000, 4_096, 10_000, 13_000, 100_000, 300_000])
def test_a_ledger_that_finds_no_room_to_begin_begins_the_next_time(tmp_path: Path, room: int) -> None:
    other = other_process(BEGIN, str(tmp_path), str(room))
    with other:
        said, _ = other.communicate(timeout=60)
    assert other.returncode == 75 and "ledger.duckdb: the disk is full" in said
    ledger = Ledger(tmp_path)
    assert not ledger.exists
    with ledger.transaction() as con:
        assert fetch(con, "select count(*) as n from documents") == [{"n": 0}]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ledger.duckdb", "ledger.lock"]


def test_a_log_without_its_ledger_is_kept_and_not_taken_in(tmp_path: Path) -> None:
    (tmp_path / "ledger.duckdb.wal").write_bytes(b"words of another ledger")
    with Ledger(tmp_path).transaction() as con:
        assert fetch(con, "select count(*) as n from documents") == [{"n": 0}]
    assert (tmp_path / "ledger.duckdb.wal.left").read_bytes() == b"words of another ledger"


def test_an_exhausted_quota_is_said_and_every_commit_stays(tmp_path: Path) -> None:
    steps, message = fill(tmp_path / "state", "limit")
    assert "ledger.duckdb: the disk is full" in message
    assert_nothing_was_lost(tmp_path / "state", steps)


def test_rows_keep_their_types(ledger: Ledger) -> None:
    row: dict[str, Any] = {
        "source": "제안서/2026 상반기", "path": "a'b\"c.hwp", "disk_path": b"\xb0\xa1.hwp", "size": 2**40,
        "inode": 2**64 - 1, "mtime_ns": 1_764_000_000_123_456_789, "flags": ["held", "낡음"],
        "hold_counted": date(2026, 11, 30), "gone_at": NOW, "failed_runs": 3, "reason": None,
    }  # fmt: skip
    with ledger.transaction() as con:
        assert insert(con, "documents", [row]) == 1
    with ledger.transaction() as con:
        read = fetch(con, f"select {', '.join(row)} from documents")[0]
    assert read == {**row, "flags": '["held","낡음"]'}
    assert read["gone_at"].utcoffset().total_seconds() == 0


def test_a_column_that_is_empty_everywhere_keeps_its_type(ledger: Ledger) -> None:
    empty = {"finding_id": "a", "detail": None, "opened_at": None, "kind": None}
    with ledger.transaction() as con:
        insert(con, "findings", [empty, {**empty, "finding_id": "b"}])
        update(con, "findings", ["finding_id"], [{"finding_id": "a", "detail": None, "opened_at": NOW}])
        update(con, "findings", ["finding_id"], [{"finding_id": "b", "detail": {"n": 1}, "opened_at": None}])
        rows = fetch(con, "select finding_id, detail, opened_at from findings order by 1")
    assert rows == [
        {"finding_id": "a", "detail": None, "opened_at": NOW},
        {"finding_id": "b", "detail": '{"n":1}', "opened_at": None},
    ]


def test_an_update_changes_only_the_rows_and_columns_it_names(ledger: Ledger) -> None:
    with ledger.transaction() as con:
        insert(con, "findings", [{"finding_id": name, "kind": "old", "source": "정책"} for name in "abc"])
        assert update(con, "findings", ["finding_id"], [{"finding_id": name, "kind": "new"} for name in "abx"]) == 3
        rows = fetch(con, "select finding_id, kind, source from findings order by 1")
    assert [tuple(row.values()) for row in rows] == [("a", "new", "정책"), ("b", "new", "정책"), ("c", "old", "정책")]


def test_nothing_to_write_writes_nothing(ledger: Ledger) -> None:
    with ledger.transaction() as con:
        assert insert(con, "findings", []) == 0
        assert update(con, "findings", ["finding_id"], []) == 0
        assert update(con, "findings", ["finding_id"], [{"finding_id": "a"}]) == 0
        assert one(con, "select finding_id from findings") is None


def test_rows_of_different_columns_are_refused(ledger: Ledger) -> None:
    with pytest.raises(ValueError, match="differ in their columns"), ledger.transaction() as con:
        insert(con, "findings", [{"finding_id": "a"}, {"finding_id": "b", "kind": "lost"}])


def test_a_time_without_a_zone_is_refused(ledger: Ledger) -> None:
    with pytest.raises(ValueError, match="without a zone"), ledger.transaction() as con:
        insert(con, "findings", [{"finding_id": "a", "opened_at": datetime(2026, 11, 30)}])


def test_a_name_that_is_not_utf8_does_not_end_the_run(ledger: Ledger) -> None:
    with ledger.transaction() as con:
        insert(con, "findings", [{"finding_id": "a", "path": "가\udcb0.txt", "detail": {"disk": "\udcb0"}}])
        assert fetch(con, "select path, detail from findings") == [{"path": "가?.txt", "detail": '{"disk":"?"}'}]
