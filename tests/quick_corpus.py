"""A small corpus with something of everything, refreshed once a session by the real command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from resources.locks import hold

COMMAND = (sys.executable, str(Path(__file__).with_name("quick_saero.py")))
SETTINGS = """\
[sources."제안서"]
path = "제안서"
owner = "pm@example.com"

[sources."규정"]
path = "규정"
ttl = [{match = "주간/**", after = "P14D"}]

[[canaries]]
query = "결제 API의 읽기 타임아웃은 30초입니다"
expect_path = "제안서/결제.md"

[[canaries]]
query = "구내 수영장 강습 시간표"
must_fail = true
"""
_PLAN = "# 기획서\n\n" + "새 단말기를 지점마다 두 대씩 놓고 밤마다 정산한다. " * 8
_PAYMENT = "# 결제 연동\n\n## 총칙\n\n결제 API의 읽기 타임아웃은 30초입니다.\n\n## 정산\n\n매달 5일에 정산합니다.\n"
FILES = {
    "제안서/결제.md": _PAYMENT,
    "제안서/기획서_v1.md": _PLAN + "예산은 3억 원이다.\n",
    "제안서/기획서_v2.md": _PLAN + "예산은 4억 원이다.\n",
    "규정/휴가.md": "# 휴가 규정\n\n휴가는 7일 전까지 신청합니다.\n\n<!-- 인사팀이 확인함 -->\n",
    "규정/휴가 사본.md": "# 휴가 규정\n\n휴가는 7일 전까지 신청합니다.\n",
    "규정/설정.csv": "이름,값\n타임아웃,30초\n재시도,3회\n",
    "규정/깨진.docx": "PK\x03\x04 이것은 문서가 아니다",
    "규정/주간/당번.md": "# 당번표\n\n이번 주 당번은 개발 2팀입니다.\n",
}


def quick_corpus(folder: Path) -> Path:
    """Write documents and saero.toml under `folder`; nothing is refreshed."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    os.utime(folder / "규정/주간/당번.md", (1_600_000_000, 1_600_000_000))
    (folder / "saero.toml").write_text(SETTINGS, encoding="utf-8")
    return folder


def refreshed_corpus(factory: pytest.TempPathFactory) -> Path:
    """Return a quick corpus after one refresh, the same for the whole session: change nothing in it."""
    folder = _session_folder(factory) / "quick"
    with hold(folder.with_name("quick.lock"), wait_seconds=300, what="the quick corpus"):
        if not (folder / "refresh.err").exists():  # written last
            quick_corpus(folder)
            result = saero("refresh", "--json", cwd=folder)
            assert result.returncode == 0, result.stderr
            (folder / "refresh.json").write_text(result.stdout, encoding="utf-8")
            (folder / "refresh.err").write_text(result.stderr, encoding="utf-8")
    return folder


def _session_folder(factory: pytest.TempPathFactory) -> Path:
    """Return the folder that the processes of one session share: each has its own in it when there are several."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def saero(*args: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [*COMMAND, *args],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
