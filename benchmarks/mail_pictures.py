"""Draw example mails as a browser shows them, and print their text parts.

    python benchmarks/mail_pictures.py [--browser chromium] [--folder docs/pictures]

A digest and an urgent mail, in Korean and in English; pictures of a page 720 pixels wide.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from zoneinfo import ZoneInfo

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from pipelines.alert import Alert, alert_of, alert_of_canary  # noqa: E402
from pipelines.alert_mail import digest, urgent  # noqa: E402
from pipelines.gap import Canary, Pin, Verdict  # noqa: E402
from pipelines.records import Finding  # noqa: E402

NOW = datetime(2026, 11, 30, 2, 4, tzinfo=ZoneInfo("Asia/Seoul"))
SIZE = "720,400"


def news() -> list[Alert]:
    """Return what a team hears on an ordinary morning."""
    found = [
        Finding("unsearched", "공유자료", "연봉조정안.hwp", {"category": "encrypted"}),
        Finding("expires_soon", "개발", "당번/당번표_2026-11-23주.docx", {"expires_at": "2026-12-06"}),
        Finding("superseded", "제안서", "기획서_v2.hwp", {"by": "제안서/기획서_v3.hwp"}),
        Finding("review_due", "정책", "출장비_정산기준.hwp", {"days": 371}),
        Finding("contradiction", "정책", "휴가규정.hwpx", {"contradictions": 2}),
    ]
    canary = Canary("c1", "정기결제 기본형 수수료율", baseline=0.93, min_score=0.75)
    drop = Verdict(canary, "drop", "", 0.71, 2, None, Pin("제안서", "기획서_v3.hwp", "b", "k"))
    alerts = [alert_of(one, owner="pm@example.com", since=NOW) for one in found]
    made = alert_of_canary(drop, since=NOW)
    return [*alerts, made] if made else alerts


def alarm() -> list[Alert]:
    """Return what can't wait."""
    canary = Canary("c2", "결제 API 타임아웃 설정값", baseline=0.97, min_score=0.75, expect_text="30초")
    pin = Pin("개발", "결제_API_v3.md", "b", "k")
    lost = alert_of_canary(Verdict(canary, "lost", "deleted", None, None, None, pin), since=NOW)
    away = alert_of(Finding("source_unreachable", "회의록", "", {"nights": 1}), owner="pm@example.com", since=NOW)
    return [lost, away] if lost else [away]


def mails() -> dict[str, EmailMessage]:
    """Return file name -> mail."""
    made = {}
    for language in ("ko", "en"):
        for name, write, alerts in (("digest", digest, news()), ("urgent", urgent, alarm())):
            made[f"mail_{name}_{language}"] = write(
                alerts, language=language, evidence="names", owner="pm@example.com", now=NOW, host_label="files01"
            )
    return made


def draw(message: EmailMessage, picture: Path, browser: str) -> str:
    """Let the browser draw the HTML part of a mail as its receiver reads it; returns the text part."""
    read = message_from_bytes(message.as_bytes(), policy=policy.default)
    assert isinstance(read, EmailMessage)
    html, text = read.get_body(("html",)), read.get_body(("plain",))
    assert html is not None and text is not None
    with tempfile.TemporaryDirectory() as folder:
        page, drawn = Path(folder) / "mail.html", Path(folder) / "mail.png"
        page.write_text(html.get_content(), encoding="utf-8")
        flags = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={SIZE}", f"--screenshot={drawn}"]
        subprocess.run([browser, *flags, page.as_uri()], check=True, capture_output=True, timeout=120)
        picture.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(drawn, picture)
    return f"Subject: {read['Subject']}\n\n{text.get_content()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--folder", type=Path, default=PROJECT / "docs" / "pictures")
    said = parser.parse_args()
    for name, message in mails().items():
        print(draw(message, said.folder / f"{name}.png", said.browser))


if __name__ == "__main__":
    main()
