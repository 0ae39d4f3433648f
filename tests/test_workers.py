"""The pool of parser processes, with real processes: one bad document costs itself and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from pipelines.errors import Broken
from pipelines.records import Limits
from resources.parsing import ParseResult, Task, frame, receive, unpack
from resources.workers import WorkerPool

LIMITS = Limits(seconds=30, memory_mb=512, stream_mb=1)


def write(folder: Path, name: str, words: str) -> Task:
    path = folder / name
    path.write_text(words, encoding="utf-8")
    return Task("s", name, str(path))


def read(
    tasks: list[Task], *, workers: int = 2, limits: Limits = LIMITS, known: frozenset[str] = frozenset()
) -> dict[str, ParseResult]:
    with WorkerPool(workers, limits, parser="stand_in_parser") as pool:
        return {result.task.path: result for result in pool.run(tasks, known=known)}


def read_one(folder: Path, words: str, limits: Limits = LIMITS) -> ParseResult:
    (result,) = read([write(folder, "a.txt", words)], limits=limits).values()
    return result


def test_documents_come_back_parsed_with_hash_and_stamp(tmp_path: Path) -> None:
    tasks = [write(tmp_path, f"문서{n}.txt", f"글 {n}") for n in range(20)]
    results = read(tasks)
    assert {path: result.parsed().blocks[0].text for path, result in results.items()} == {
        f"문서{n}.txt": f"글 {n}" for n in range(20)
    }
    result = results["문서3.txt"]
    assert result.outcome == "parsed"
    assert result.parsed().title == "문서3.txt"
    assert result.content_hash == sha256("글 3".encode()).hexdigest()
    assert result.stamp is not None
    assert result.stamp.mtime_ns == (tmp_path / "문서3.txt").stat().st_mtime_ns


def test_nothing_to_read_starts_no_process() -> None:
    assert list(WorkerPool(2, LIMITS, parser="no.such.parser").run([])) == []


def test_known_content_is_hashed_and_not_parsed(tmp_path: Path) -> None:
    task = write(tmp_path, "a.txt", "hang")
    content_hash = sha256(b"hang").hexdigest()
    result = read([task], known=frozenset({content_hash}))["a.txt"]
    assert (result.outcome, result.content_hash, result.size) == ("known", content_hash, 4)


def test_a_copy_of_what_this_run_parsed_is_known(tmp_path: Path) -> None:
    tasks = [write(tmp_path, "a.txt", "같은 글"), write(tmp_path, "b.txt", "같은 글")]
    assert sorted(result.outcome for result in read(tasks, workers=1).values()) == ["known", "parsed"]


@pytest.mark.parametrize("word", ["hang", "spin"])
def test_a_hanging_parser_is_ended_alone(tmp_path: Path, word: str) -> None:
    tasks = [write(tmp_path, "bad.txt", word)] + [write(tmp_path, f"{n}.txt", f"글 {n}") for n in range(10)]
    results = read(tasks, limits=Limits(seconds=1, memory_mb=512))
    assert (results["bad.txt"].category, results["bad.txt"].reason) == ("timeout", "reading it took longer than 1 s")
    assert len(results["bad.txt"].content_hash) == 64
    assert sum(result.outcome == "parsed" for result in results.values()) == 10


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS counts resident memory, which this never touches")
@pytest.mark.parametrize("word", ["hog", "hidden-hog"])
def test_a_memory_hog_is_too_large_and_harms_no_other(tmp_path: Path, word: str) -> None:
    tasks = [write(tmp_path, "bad.txt", word)] + [write(tmp_path, f"{n}.txt", f"글 {n}") for n in range(10)]
    results = read(tasks)
    assert results["bad.txt"].category == "too_large"
    assert "memory" in results["bad.txt"].reason
    assert sum(result.outcome == "parsed" for result in results.values()) == 10


def test_a_crashing_parser_is_damaged_and_harms_no_other(tmp_path: Path) -> None:
    tasks = [write(tmp_path, f"bad{n}.txt", f"crash {n}") for n in range(3)]
    tasks += [write(tmp_path, f"{n}.txt", f"글 {n}") for n in range(10)]
    results = read(tasks)
    assert {results[f"bad{n}.txt"].reason for n in range(3)} == {"the parser process ended (signal 11)"}
    assert {results[f"bad{n}.txt"].category for n in range(3)} == {"damaged"}
    assert sum(result.outcome == "parsed" for result in results.values()) == 10


def test_a_crash_that_a_fresh_process_does_not_repeat_is_forgiven(tmp_path: Path) -> None:
    assert read_one(tmp_path, f"crash-once {tmp_path / 'mark'}").outcome == "parsed"


def test_a_parser_that_exits_is_damaged(tmp_path: Path) -> None:
    assert read_one(tmp_path, "exit").reason == "the parser process ended (exit code 3)"


def test_a_process_that_the_system_kills_wanted_too_much(tmp_path: Path) -> None:
    assert read_one(tmp_path, "killed").category == "too_large"


def test_the_parsers_own_refusals_pass_through(tmp_path: Path) -> None:
    result = read_one(tmp_path, "encrypted")
    assert (result.category, result.reason) == ("encrypted", "needs a password")


def test_an_unforeseen_error_tells_its_kind_but_no_text(tmp_path: Path) -> None:
    result = read_one(tmp_path, "surprise 비밀")
    assert (result.category, result.reason) == ("damaged", "the parser stopped at KeyError")


def test_a_library_that_prints_breaks_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert read_one(tmp_path, "chatty").outcome == "parsed"
    assert capfd.readouterr() == ("", "")


def test_passwords_in_the_environment_stay_with_the_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAERO_MAIL__PASSWORD", "secret")
    assert "SAERO" not in read_one(tmp_path, "environment").parsed().blocks[0].text


def test_more_text_than_a_stream_may_hold_is_too_large(tmp_path: Path) -> None:
    assert read_one(tmp_path, "long").reason == "its text fills more than 1 MB"


def test_a_file_above_the_limit_is_not_read(tmp_path: Path) -> None:
    task = write(tmp_path, "a.txt", "")
    os.truncate(task.disk_path, 3 << 20)
    result = read([task], limits=Limits(file_mb=2, memory_mb=512))["a.txt"]
    assert (result.category, result.content_hash) == ("too_large", "")
    assert result.stamp is not None


def test_what_took_a_files_place_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder").mkdir()
    results = read([Task("s", name, str(tmp_path / name)) for name in ("pipe", "link", "folder", "gone")])
    assert {path: result.category for path, result in results.items()} == {
        "pipe": "unreadable",
        "link": "unreadable",
        "folder": "unreadable",
        "gone": "changed_while_reading",
    }


def test_a_file_that_keeps_changing_is_given_up_until_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    result = read_one(tmp_path, f"grow {path}")
    assert result.category == "changed_while_reading"


def test_attachments_follow_their_mail_as_documents(tmp_path: Path) -> None:
    task = write(tmp_path, "주문.eml", "mail 첫째|encrypted|mail 속~속속")
    results = read([task], known=frozenset())
    assert {path: result.outcome for path, result in results.items()} == {
        "주문.eml": "parsed",
        "주문.eml!/견적서.txt": "parsed",
        "주문.eml!/견적서#2.txt": "failed",
        "주문.eml!/견적서#3.txt": "parsed",
        "주문.eml!/견적서#3.txt!/견적서.txt": "parsed",
        "주문.eml!/견적서#3.txt!/견적서#2.txt": "parsed",
    }
    assert results["주문.eml!/견적서#3.txt!/견적서#2.txt"].parsed().blocks[0].text == "속속"
    assert results["주문.eml!/견적서#2.txt"].category == "encrypted"
    assert [item.size for item in results["주문.eml"].attached] == [6, 9, 15]


def test_a_known_attachment_is_not_read_again(tmp_path: Path) -> None:
    tasks = [write(tmp_path, "a.txt", "첫째"), write(tmp_path, "b.eml", "mail 첫째")]
    assert read(tasks, workers=1)["b.eml!/견적서.txt"].outcome == "known"


def test_a_parser_that_cannot_be_imported_stops_the_run(tmp_path: Path) -> None:
    pool = WorkerPool(1, LIMITS, parser="no.such.parser")
    with pytest.raises(Broken, match="No module named 'no'"):
        list(pool.run([write(tmp_path, "a.txt", "글")]))


def test_a_slow_reader_holds_back_the_processes(tmp_path: Path) -> None:
    handed_out = 0

    def tasks() -> Iterator[Task]:
        nonlocal handed_out
        for n in range(50):
            handed_out += 1
            yield write(tmp_path, f"{n}.txt", f"글 {n}")

    results = WorkerPool(2, LIMITS, parser="stand_in_parser").run(tasks())
    next(results)
    time.sleep(0.5)
    assert handed_out <= 6
    assert sum(1 for _ in results) == 49


def test_leaving_a_run_early_ends_its_processes(tmp_path: Path) -> None:
    marks = [tmp_path / "1", tmp_path / "2"]
    tasks = [write(tmp_path, "a.txt", "글")] + [write(tmp_path, f"b{mark.name}", f"signal {mark}") for mark in marks]
    with WorkerPool(3, LIMITS, parser="stand_in_parser") as pool:
        results = pool.run(tasks)
        next(results)
        pids = [wait_for_pid(mark) for mark in marks]
    assert not any(alive(pid) for pid in pids)
    assert not any(thread.name == "saero-workers" for thread in threading.enumerate())


# The signals as a shell's foreground job has them: a background job of a script inherits SIGINT ignored, and Dagster,
# once loaded by an earlier test, makes SIGTERM what SIGINT is.
PARENT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
from pipelines.records import Limits
from resources.parsing import Task
from resources.workers import WorkerPool
tasks = [Task("s", path, path) for path in sys.argv[1:]]
list(WorkerPool(2, Limits(seconds=60, memory_mb=512), parser="stand_in_parser").run(tasks))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_processes_end_with_their_parent(tmp_path: Path, number: signal.Signals) -> None:
    marks = [tmp_path / "1", tmp_path / "2"]
    tasks = [write(tmp_path, f"b{mark.name}", f"signal {mark}") for mark in marks]
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, *(task.disk_path for task in tasks)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.DEVNULL,
    )
    pids = [wait_for_pid(mark) for mark in marks]
    parent.send_signal(number)
    assert parent.wait(timeout=10) != 0
    wait_until(lambda: not any(alive(pid) for pid in pids))


def test_a_process_without_parent_ends_even_where_no_signal_tells(tmp_path: Path) -> None:
    """The way of macOS: the closing of a pipe, seen by a thread."""
    life, ours = os.pipe()
    code = "import sys, resources.worker as w; sys.platform = 'other'; w.end_with_parent(int(sys.argv[1]), 0, 512)"
    child = subprocess.Popen(
        [sys.executable, "-c", code + "; import time; time.sleep(60)", str(life)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        pass_fds=(life,),
    )
    os.close(life)
    os.close(ours)
    assert child.wait(timeout=20) == 1


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def wait_for_pid(mark: Path) -> int:
    wait_until(lambda: mark.exists() and mark.read_text(encoding="utf-8") != "")
    return int(mark.read_text(encoding="utf-8"))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z")


def test_only_records_are_unpacked(tmp_path: Path) -> None:
    evil = b"cposix\nsystem\n(S'touch " + str(tmp_path / "evil").encode() + b"'\ntR."
    with pytest.raises(Broken, match=r"posix\.system"):
        unpack(evil)
    with pytest.raises(Broken):
        unpack(b"\x80\x05garbage")
    assert not (tmp_path / "evil").exists()


def test_frames_end_with_the_pipe(tmp_path: Path) -> None:
    path = tmp_path / "frames"
    path.write_bytes(frame(b"T", "하나") + frame(b"G", True))
    with path.open("rb") as pipe:
        assert [receive(pipe), receive(pipe), receive(pipe)] == [(b"T", "하나"), (b"G", True), None]
