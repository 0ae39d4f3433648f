"""Resolve the dependencies anew in an empty environment and write requirements.lock (`make lock`)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
HEAD = "# Every version that saero is tested with; pip reads it as constraints (make lock renews it).\n"


def main() -> None:
    """Write requirements.lock from pip's own report of what it would install."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        report = Path(folder) / "report.json"
        command = [f"{folder}/bin/python", "-m", "pip", "install", "--quiet", "--dry-run", "--report", str(report)]
        subprocess.run([*command, f"{PROJECT}[dev]"], check=True)
        write_lock(json.loads(report.read_text(encoding="utf-8")))


def write_lock(report: dict[str, list[dict[str, dict[str, str]]]]) -> None:
    """Write name==version lines, local version tags ("+cpu") left out so that every platform's file fits."""
    pins = set()
    for item in report["install"]:
        name = re.sub(r"[-_.]+", "-", item["metadata"]["name"]).lower()
        if name != "saero":
            pins.add(f"{name}=={item['metadata']['version'].partition('+')[0]}\n")
    (PROJECT / "requirements.lock").write_text(HEAD + "".join(sorted(pins)), encoding="utf-8")
    print(f"{len(pins)} versions written to requirements.lock")


if __name__ == "__main__":
    sys.exit(main())
