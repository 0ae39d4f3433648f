"""Write the example corpus from the texts beside this file: `python examples/make_corpus.py [FOLDER]`.

Nothing here depends on the clock or on chance: a second run writes the same bytes as long as the writing libraries
(python-docx, python-pptx, reportlab, xlsxwriter, Pillow) keep their versions. Names and companies are invented.
"""

from __future__ import annotations

import csv
import io
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEXTS = HERE / "texts"
for folder in (HERE, HERE.parent / "tests", HERE.parent):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

import markup  # noqa: E402
import plain_writers  # noqa: E402
from hwp5_writer import write_hwp  # noqa: E402
from hwpx_writer import write_hwpx  # noqa: E402
from office_makers import Slide, make_docx, make_pdf, make_pptx  # noqa: E402
from sheet_makers import make_eml, make_xlsx  # noqa: E402

SEOUL = timezone(timedelta(hours=9))
WIKI = "Mulgyeol Wiki"


@dataclass(frozen=True, slots=True)
class Document:
    """A file to write: its path in the corpus, when it was last changed and by whom.

    `text` is the text's path without ".md" (the file's own path without its extension when it is left out).
    `variant` asks for something special: nfd, cp949, euc-kr, html, password, damaged, scan.
    """

    path: str
    modified: str
    author: str = ""
    text: str = ""
    variant: str = ""

    @property
    def suffix(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.modified).replace(tzinfo=SEOUL)

    @property
    def disk_path(self) -> Path:
        """The path below the corpus as the disk spells it."""
        path = Path(unicodedata.normalize("NFC", self.path))
        return path.with_name(unicodedata.normalize("NFD", path.name)) if self.variant == "nfd" else path

    def read(self) -> str:
        """Return the written text."""
        name = self.text or self.path.rpartition(".")[0]
        return (TEXTS / f"{name}.md").read_text(encoding="utf-8")


DOCUMENTS = (
    # 제안서: three versions of one plan, a draft and its extension, one proposal in two formats
    Document("제안서/기획서_v1.hwp", "2026-04-13T17:40", "한서윤"),
    Document("제안서/기획서_v2.hwp", "2026-07-02T11:15", "한서윤"),
    Document("제안서/기획서_v3.hwp", "2026-11-05T18:05", "한서윤"),
    Document("제안서/제안서_초안.docx", "2026-06-09T09:30", "노아름"),
    Document("제안서/제안서_최종.docx", "2026-06-23T16:12", "노아름"),
    Document("제안서/새벽상회_도입제안서.docx", "2026-05-18T14:20", "노아름"),
    Document("제안서/새벽상회_도입제안서.pdf", "2026-05-18T14:26", "노아름"),
    Document("제안서/서비스소개_2026.pptx", "2026-10-08T10:00", "한서윤"),
    Document("제안서/Partner_Proposal_EN.docx", "2026-11-10T15:45", "Areum Noh"),
    Document("제안서/가격표_2026.xlsx", "2026-08-03T09:00", "노아름"),
    Document("제안서/지역별_가맹점_2025.xls", "2026-01-15T13:00", "노아름"),
    # 회의록: a weekly series in three formats, minutes in English, names in NFD as a Mac writes them
    Document("회의록/주간/주간회의_2026-10-05.hwpx", "2026-10-05T11:30", "민가람"),
    Document("회의록/주간/주간회의_2026-10-12.docx", "2026-10-12T11:20", "오지호"),
    Document("회의록/주간/주간회의_2026-10-19.md", "2026-10-19T11:45", "배도현"),
    Document("회의록/주간/주간회의_2026-10-26.hwpx", "2026-10-26T11:10", "채이든"),
    Document("회의록/주간/주간회의_2026-11-02.docx", "2026-11-02T12:00", "한서윤"),
    Document("회의록/주간/주간회의_2026-11-09.hwpx", "2026-11-09T11:25", "민가람"),
    Document("회의록/주간/주간회의_2026-11-16.md", "2026-11-16T11:35", "오지호"),
    Document("회의록/주간/주간회의_2026-11-23.docx", "2026-11-23T11:50", "배도현"),
    Document("회의록/가을워크숍_결과.hwpx", "2026-11-02T16:00", "구해온", variant="nfd"),
    Document("회의록/고객간담회_정리.docx", "2026-09-23T10:10", "노아름", variant="nfd"),
    Document("회의록/Kickoff_Minutes_2026-09-14.docx", "2026-09-14T17:00", "Iden Chae"),
    Document("회의록/월마감_점검회의.ics", "2026-11-24T10:00", "민가람"),
    # 정책: rules, tables, a workbook of permissions, a CP949 text, two notices with expires_at
    Document("정책/정보보호정책.hwp", "2026-03-20T10:00", "신유찬"),
    Document("정책/휴가규정.hwpx", "2026-01-02T09:00", "구해온"),
    Document("정책/데이터_보존기간표.docx", "2026-02-11T15:30", "신유찬"),
    Document("정책/권한관리대장.xlsx", "2026-10-05T18:20", "신유찬"),
    Document("정책/계정관리_지침.txt", "2025-12-15T10:00", "신유찬", variant="cp949"),
    Document("정책/출장비_정산기준.hwp", "2026-04-30T13:40", "구해온"),
    Document("정책/재택근무_운영안내.html", "2026-04-24T09:00", "구해온"),
    Document("정책/Vendor_Onboarding_Policy.docx", "2026-06-01T11:00", "Dasol Yu"),
    Document("정책/구내식당_이용수칙.hml", "2025-09-01T09:00", "구해온"),
    Document("정책/가을_프로모션.md", "2026-08-27T10:00", "노아름"),
    Document("정책/여름_당직수당.md", "2026-06-29T10:00", "구해온"),
    # 개발: references, plans, a post-mortem in English, a work breakdown, exports
    Document("개발/결제_API_v3.md", "2026-10-30T14:00", "배도현"),
    Document("개발/Webhook_Guide.md", "2026-08-12T10:30", "Dohyun Bae"),
    Document("개발/Postmortem_2026-08-19.md", "2026-08-26T18:00", "Iden Chae"),
    Document("개발/WBS.xlsx", "2026-11-27T17:30", "한서윤"),
    Document("개발/릴리스노트_2026-10.md", "2026-10-27T19:00", "배도현"),
    Document("개발/릴리스노트_2026-11.md", "2026-11-25T19:00", "배도현"),
    Document("개발/위키_배포절차.html", "2026-11-06T15:00", "배도현"),
    Document("개발/Engineering_Onboarding.html", "2026-07-20T10:00", "Dohyun Bae"),
    Document("개발/위키_알림등급.mhtml", "2026-05-06T10:00", "배도현"),
    Document("개발/오류코드.csv", "2026-10-30T14:10", "배도현"),
    Document("개발/서버목록.csv", "2026-09-08T09:00", "오지호", variant="cp949"),
    Document("개발/SLA_기준.pdf", "2026-02-25T10:00", "한서윤"),
    Document("개발/DB_백업_런북.txt", "2026-10-12T10:00", "채이든"),
    Document("개발/2026_Q3_개발계획.md", "2026-07-01T09:30", "한서윤"),
    Document("개발/2027_상반기_로드맵.docx", "2026-11-20T17:00", "한서윤"),
    Document("개발/당번/당번표_2026-10-12주.docx", "2026-10-08T18:00", "오지호"),
    # 메일: an attachment, EUC-KR, an HTML-only newsletter, English, an exported folder
    Document("메일/2026-11-03_한들마트_견적.eml", "2026-11-03T10:24"),
    Document("메일/2026-10-21_정산금액_문의.eml", "2026-10-21T16:02", variant="euc-kr"),
    Document("메일/2026-10-22_정산금액_답변.eml", "2026-10-22T11:40"),
    Document("메일/2026-11-12_Terminal_Newsletter.eml", "2026-11-12T09:00", variant="html"),
    Document("메일/2026-11-18_Scheduled_Maintenance.eml", "2026-11-18T13:30"),
    Document("메일/2026-11-24_건강검진_안내.eml", "2026-11-24T15:10"),
    Document("메일/2026_3분기_고객센터.mbox", "2026-10-01T09:00"),
    # 공유자료: a drop folder: copies of rules, a scan, a file with a password, a damaged one
    Document("공유자료/휴가규정.pdf", "2026-01-02T09:10", "구해온", text="정책/휴가규정"),
    Document("공유자료/정보보호정책 - 사본.hwp", "2026-03-20T10:00", "신유찬", text="정책/정보보호정책"),
    Document("공유자료/이사_견적_메모.txt", "2026-11-20T18:00", "구해온"),
    Document("공유자료/Supply_Agreement_scan.pdf", "2026-11-09T16:00", variant="scan"),
    Document("공유자료/연봉조정안.hwp", "2026-11-13T20:00", "유다솔", variant="password"),
    Document("공유자료/분기보고_손상.docx", "2026-10-15T10:00", "민가람", variant="damaged"),
)


def write_corpus(target: Path) -> list[Path]:
    """Write every document below `target` and return the paths; files that the list doesn't name are left alone."""
    written = []
    for document in DOCUMENTS:
        path = target / document.disk_path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(make(document))
        os.utime(path, (document.moment.timestamp(),) * 2)
        written.append(path)
    return written


def make(document: Document) -> bytes:
    """Return the bytes of one file."""
    text = document.read()
    if document.variant == "scan":
        return plain_writers.write_scan(text.rstrip("\n").split("\n"))
    if document.suffix == "eml":
        return _mail(document, text)
    if document.suffix == "mbox":
        return plain_writers.write_mbox([_mail(document, mail) for mail in text.split("===\n")])
    if document.suffix == "ics":
        return plain_writers.write_ics(*markup.mail(text))
    if document.suffix in ("md", "txt"):
        return _plain(document, text)
    if document.suffix == "csv":
        return _csv(document, text)
    if document.suffix in ("xlsx", "xls", "pptx"):
        return _office(document, text)
    return _paged(document, text)


def _paged(document: Document, text: str) -> bytes:
    blocks = markup.blocks(text)
    title = blocks[0].text
    fields = {"title": title, "author": document.author}
    match document.suffix:
        case "hwp":
            locked = document.variant == "password"
            return write_hwp(blocks, title=title, author=document.author, modified=document.moment, password=locked)
        case "hwpx":
            return write_hwpx(blocks, **fields, modified=document.moment)
        case "hml":
            return plain_writers.write_hml(blocks, **fields, day=document.modified[:10])
        case "html":
            return plain_writers.write_html(blocks, title=title, site=WIKI)
        case "mhtml":
            return plain_writers.write_mhtml(plain_writers.write_html(blocks, title=title, site=WIKI), document.moment)
        case "pdf":
            return make_pdf(blocks, **fields, modified=document.moment)
        case "docx":
            data = make_docx(blocks, **fields, modified=document.moment)
            # Cut off inside the first parts, as an interrupted copy leaves it: the zip directory is missing.
            return data[: len(data) // 2] if document.variant == "damaged" else data
    raise ValueError(document.suffix)


def _office(document: Document, text: str) -> bytes:
    if document.suffix == "xlsx":
        return make_xlsx(markup.sheets(text), modified=document.moment)
    if document.suffix == "xls":
        return plain_writers.write_xls(markup.sheets(text))
    slides = [
        Slide(title, tuple(blocks), cover=number == 0) for number, (title, blocks) in enumerate(markup.slides(text))
    ]
    return make_pptx(slides, title=slides[0].title, author=document.author, modified=document.moment)


def _plain(document: Document, text: str) -> bytes:
    if document.variant == "cp949":
        return text.replace("\n", "\r\n").encode("cp949")
    return text.encode("utf-8")


def _csv(document: Document, text: str) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(markup.table_rows(text))
    return out.getvalue().encode("cp949" if document.variant == "cp949" else "utf-8-sig")


def _mail(document: Document, text: str) -> bytes:
    fields, content = markup.mail(text)
    attachments = list(_attachments(document, fields.get("Attachment", "")))
    if document.variant == "html":
        page = "".join(f"<p>{line}</p>\n" for line in content.split("\n") if line)
        content = f"<html><body>\n{page}</body></html>\n"
    data = make_eml(
        fields["Subject"],
        fields["From"],
        fields["To"],
        datetime.fromisoformat(fields["Date"]).replace(tzinfo=SEOUL),
        content,
        attachments=attachments,
        charset="euc-kr" if document.variant == "euc-kr" else "utf-8",
    )
    return data.replace(b"text/plain", b"text/html", 1) if document.variant == "html" else data


def _attachments(document: Document, name: str) -> Iterator[tuple[str, bytes]]:
    if name:
        text = (TEXTS / "메일" / f"{name.rpartition('.')[0]}.md").read_text(encoding="utf-8")
        yield name, make_xlsx(markup.sheets(text), modified=document.moment)


def main() -> None:
    """Write the corpus anew in examples/corpus, or into the (new) folder that the command names."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "corpus"
    if target == HERE / "corpus":
        shutil.rmtree(target, ignore_errors=True)
    paths = write_corpus(target)
    size_kb = sum(path.stat().st_size for path in paths) // 1024
    print(f"{len(paths)} files, {size_kb} KB in {target}")


if __name__ == "__main__":
    main()
