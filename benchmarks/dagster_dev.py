"""Launch the nightly run through `saero ui` (dagster dev) over GraphQL, on a copy of the example corpus.

    python benchmarks/dagster_dev.py

Bars: the nightly schedule is RUNNING at 02:00 Asia/Seoul; nightly_refresh over the whole partition range succeeds;
each of the five corpus assets is materialized for every source and gap_analysis once; every asset check has spoken and
the blocking ones passed; every process that was started is gone at the end. Exit code 1 below a bar.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus_copy import PROJECT, copy_corpus, environment

from resources.build import build

# A loaded machine takes minutes to start the code servers (dagster.yaml gives them as long).
START_SECONDS = 900
RUN_SECONDS = 1800
END_SECONDS = 30
LOCATION = {"repositoryName": "__repository__", "repositoryLocationName": "saero"}
STAGES = ("parse", "dedup", "chunk", "embed", "index")
RANGE = ("dagster/asset_partition_range_start", "dagster/asset_partition_range_end")

SCHEDULES = """query($at: RepositorySelector!) { schedulesOrError(repositorySelector: $at) { __typename
  ... on Schedules { results { name cronSchedule executionTimezone scheduleState { status } } } } }"""
LAUNCH = """mutation($run: ExecutionParams!) { launchRun(executionParams: $run) { __typename
  ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""
STATUS = """query($id: ID!) { runOrError(runId: $id) { ... on Run { status } } }"""
ASSETS = """query { assetNodes { assetKey { path } assetMaterializations(limit: 100) { partition runId }
  assetChecksOrError { ... on AssetChecks { checks {
    name blocking executionForLatestMaterialization { status } } } } } }"""


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that must hold, and what was seen."""

    name: str
    met: bool
    seen: str


class Ui:
    """`saero ui` in a process group of its own; its webserver is asked over GraphQL."""

    def __init__(self, settings: Path, log: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "saero.cli", "ui", "--port", str(self.port)],
                cwd=PROJECT,
                env=environment(settings),
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def ask(self, query: str, **variables: Any) -> Any:
        """Return the data of one GraphQL request; raises OSError while the webserver is away."""
        body = json.dumps({"query": query, "variables": variables}).encode("utf-8")
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/graphql", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            said = json.load(response)
        if said.get("errors"):
            raise RuntimeError(said["errors"][0]["message"])
        return said["data"]

    def schedules(self) -> list[dict[str, Any]]:
        """Wait for webserver and code location and return the schedules."""
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self.process.poll() is None:
            with suppress(urllib.error.URLError, OSError):
                found = self.ask(SCHEDULES, at=LOCATION)["schedulesOrError"]
                if found["__typename"] == "Schedules":
                    return list(found["results"])
            time.sleep(1)
        raise TimeoutError(f"`saero ui` did not serve within {START_SECONDS} s")

    def launch(self, first: str, last: str) -> str:
        """Launch nightly_refresh over the range as the UI does; returns the run id."""
        tags = [{"key": key, "value": value} for key, value in zip(RANGE, (first, last), strict=True)]
        run = {
            "selector": {**LOCATION, "jobName": "nightly_refresh"},
            "mode": "default",
            "runConfigData": {},
            "executionMetadata": {"tags": tags},
        }
        said = self.ask(LAUNCH, run=run)["launchRun"]
        if said["__typename"] != "LaunchRunSuccess":
            raise RuntimeError(f"{said['__typename']}: {said.get('message', '')}")
        return str(said["run"]["runId"])

    def wait_for(self, run_id: str) -> str:
        """Return the status in which a run ends."""
        until = time.monotonic() + RUN_SECONDS
        status = ""
        while time.monotonic() < until and status not in ("SUCCESS", "FAILURE", "CANCELED"):
            time.sleep(2)
            status = self.ask(STATUS, id=run_id)["runOrError"]["status"]
        return status

    def end(self) -> int:
        """End webserver, daemon and code servers, each by its id; returns how many had to be killed."""
        family = _family(self.process.pid)
        _send(family[:1], signal.SIGINT)
        until = time.monotonic() + END_SECONDS
        while time.monotonic() < until and _alive(family):
            self.process.poll()
            time.sleep(0.5)
        _send(_alive(family), signal.SIGTERM)
        time.sleep(2)
        left = _alive(family)
        _send(left, signal.SIGKILL)
        self.process.wait(END_SECONDS)
        return len(left)


def _family(pid: int) -> list[int]:
    """Return a process and everything that it started, parents first."""
    table = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    children: dict[int, list[int]] = {}
    for line in table.splitlines():
        child, parent = (int(part) for part in line.split())
        children.setdefault(parent, []).append(child)
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def _alive(pids: list[int]) -> list[int]:
    listed = subprocess.run(["ps", "-A", "-o", "pid=,stat="], capture_output=True, text=True, check=True).stdout
    running = {int(line.split()[0]) for line in listed.splitlines() if not line.split()[1].startswith("Z")}
    return [pid for pid in pids if pid in running]


def _send(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def judged(
    schedules: list[dict[str, Any]], status: str, run_id: str, nodes: list[dict[str, Any]], sources: list[str]
) -> list[Bar]:
    """Compare what Dagster says with the bars."""
    nightly = next((one for one in schedules if one["name"] == "nightly"), None)
    seen = nightly and (nightly["cronSchedule"], nightly["executionTimezone"], nightly["scheduleState"]["status"])
    bars = [Bar("nightly schedule", seen == ("0 2 * * *", "Asia/Seoul", "RUNNING"), str(seen))]
    bars.append(Bar("nightly_refresh over the range", status == "SUCCESS", status))
    for node in nodes:
        name = node["assetKey"]["path"][-1]
        made = [one["partition"] for one in node["assetMaterializations"] if one["runId"] == run_id]
        wanted = sorted(sources) if name in STAGES else [None]
        bars.append(Bar(f"{name} materialized", sorted(made, key=str) == wanted, f"{len(made)} of {len(wanted)}"))
    checks = [check for node in nodes for check in node["assetChecksOrError"].get("checks", [])]
    said = {check["name"]: (check["executionForLatestMaterialization"] or {}).get("status") for check in checks}
    stopped = [check["name"] for check in checks if check["blocking"] and said[check["name"]] != "SUCCEEDED"]
    silent = [name for name, status in said.items() if status is None]
    failed = [name for name, status in said.items() if status == "FAILED"]
    text = f"{len(said)} checks, {len(failed)} warn: {', '.join(failed)}" if failed else f"{len(said)} checks"
    bars.append(Bar("asset checks", len(nodes) == 6 and not stopped and not silent and len(said) > 0, text))
    return bars


def main() -> None:
    """Start, ask, launch, compare, end."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        settings = copy_corpus(Path(folder))
        sources = [source.name for source in build(str(settings)).sources]
        log = Path(folder) / "dagster.log"
        started = time.monotonic()
        ui = Ui(settings, log)
        try:
            schedules = ui.schedules()
            ready = time.monotonic()
            run_id = ui.launch(sources[0], sources[-1])
            status = ui.wait_for(run_id)
            done = time.monotonic()
            bars = judged(schedules, status, run_id, ui.ask(ASSETS)["assetNodes"], sources)
        except (OSError, RuntimeError):
            print(log.read_text(encoding="utf-8", errors="replace")[-3000:], file=sys.stderr)
            raise
        finally:
            killed = ui.end()
    print(f"ready after {ready - started:.0f} s, run {done - ready:.0f} s, {killed} processes had to be killed\n")
    for bar in bars:
        print(f"{'ok    ' if bar.met else 'MISSED'}  {bar.name:32} {bar.seen}")
    sys.exit(0 if all(bar.met for bar in bars) else 1)


if __name__ == "__main__":
    main()
