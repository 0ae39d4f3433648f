"""Vectors of TXT, CSV, HTML and Markdown: what must and must not stand in the text version of a made file."""

from __future__ import annotations

from vector import Vector

_RULES = "제1장 총칙\n\n제1조(목적) 이 규정은 연차 휴가를 정한다. 똠방각하.\n\n□ 추진 배경\n 1. 가맹점 단말기 교체\n"
_PAGE = """<html><head><title>휴가 공지</title><style>.side, #ad { display: none }</style></head><body>
<nav>차림표</nav><script>var a = '스크립트'</script><h1>휴가 규정</h1><p>연차는 <b>15일</b>이다.</p>
<div class=side>곁글</div><div id=ad>광고</div><p hidden>숨긴 글</p><template>틀</template>
<table><tr><th>구분<th colspan=2>일수<tr><td>신입<td>11<td>월 1일</table>
<ul><li>신청<ul><li>전자결재</ul></ul><iframe srcdoc="<p>안쪽 문서</p>"></iframe></body></html>"""
_WORD_PAGE = """<html><body><p style='mso-list:l0 level1 lfo1'>
<span style='mso-list:Ignore'>가.&nbsp;</span>신청 절차</p>
<p>본문<del cite='mailto:kim'>지운 글</del></p>
<div style='mso-element:comment-list'>검토 의견</div></body></html>"""
_SAVED = """MIME-Version: 1.0
Content-Type: multipart/related; boundary=B

--B
Content-Type: text/html; charset=utf-8

<html><body><h1>회의록</h1><p>배포 일정을 정했다.</p></body></html>
--B--
"""
_MARKDOWN = """---
title: 휴가 규정
status: 시행
---
# 총칙 {#general}

- [x] 신청서 작성
- [ ] 결재

| 구분 | 일수 |
|---|---|
| 신입 \\| 경력 | `11|15` |

[양식][f]을 쓴다.[^1] \\*별표\\* <!-- 주석 -->

[f]: https://forms.example.com
[^1]: 전자결재로 낸다.

<table><tr><td colspan=2>합친 칸</td></tr><tr><td>가</td><td>나</td></tr></table>
"""
_CSV = 'sep=;\r\n성명;비고\r\n홍길동;"여러 줄\r\n셀; 하나"\r\n'
_TWO_ROWS = "구분,예산,\n,상반기,하반기\n인건비,100,200\n운영비,300,400\n"

VECTORS: tuple[Vector, ...] = (
    *(
        Vector(
            f"a text in {encoding} is read",
            "규정.txt",
            lambda encoding=encoding: _RULES.encode(encoding),
            ("# 제1장 총칙", "제1조(목적)", "똠방각하", "□ 추진 배경"),
            ("\ufffd", "\ufeff"),
        )
        for encoding in ("utf-8", "utf-8-sig", "cp949", "utf-16", "utf-16-le", "utf-16-be")
    ),
    Vector(
        "a text with one damaged byte loses one character",
        "규정.txt",
        lambda: ("가맹점 단말기 교체 " * 20).encode("cp949").replace("교".encode("cp949"), b"\xff\xb3", 1),
        ("가맹점 단말기 \ufffd체 가맹점 단말기 교체",),
    ),
    Vector("a western text keeps its accents", "lettre.txt", lambda: "Größe, café".encode("cp1252"), ("Größe, café",)),
    Vector(
        "a text in Johab is refused",
        "옛글.txt",
        lambda: (_RULES * 5).encode("johab"),
        category="damaged",
        reason="no .txt document: damaged, encrypted by another program, or text in an encoding",
    ),
    Vector(
        "a page shows what a reader sees",
        "공지.html",
        lambda: _PAGE.encode("cp949").replace(b"<head>", b'<head><meta charset="euc-kr">'),
        ("# 휴가 규정", "연차는 15일이다.", '<th colspan="2">일수</th>', "월 1일", "- 신청", "- 전자결재"),
        ("차림표", "스크립트", "곁글", "광고", "숨긴 글", "틀", "안쪽 문서", "display"),
    ),
    Vector(
        "a page that Word saved keeps its numbers and drops what was deleted",
        "절차.doc",
        lambda: _WORD_PAGE.encode(),
        ("가. 신청 절차", "본문"),
        ("지운 글", "검토 의견"),
    ),
    Vector(
        "a page saved in one file is a page",
        "회의록.mht",
        lambda: _SAVED.encode(),
        ("# 회의록", "배포 일정을"),
        ("MIME",),
    ),
    Vector(
        "a page of scripts alone is empty",
        "빈.html",
        lambda: b"<html><script>x</script></html>",
        category="empty",
        reason="no text without its scripts",
    ),
    Vector(
        "Markdown keeps words and drops marks",
        "규정.md",
        lambda: _MARKDOWN.encode(),
        (
            "# 총칙",
            "☑ 신청서",
            "☐ 결재",
            "11\\|15",
            "양식 (https://forms.example.com)",
            "*별표*",
            "전자결재로",
            'colspan="2">합친 칸',
        ),
        ("{#general}", "주석", "status", "[f]"),
    ),
    Vector(
        "a CSV follows its sep= line and its quotes",
        "명단.csv",
        lambda: _CSV.encode("cp949"),
        ("성명: 홍길동", "셀; 하나"),
        ("sep=",),
    ),
    Vector(
        "a header of two rows is joined",
        "예산.csv",
        lambda: _TWO_ROWS.encode(),
        ("예산 / 하반기: 200", "예산 / 상반기: 300"),
    ),
    Vector(
        "a comment mark inside a sentence hides nothing, scripts and hidden boxes are hidden",
        "안내.md",
        lambda: "문장의 <!-- 뒤\n\n<div hidden>\n\n숨긴 글\n\n</div>\n\n<script>\nalert(1)\n</script>\n\n끝".encode(),
        ("문장의", "끝"),
        ("숨긴 글", "alert"),
    ),
    Vector(
        "commas within numbers divide no row",
        "단가.csv",
        lambda: "단가;수량\n1,5;2,5\n3,5;4,5\n".encode(),
        ("단가: 1,5; 수량: 2,5",),
    ),
    Vector("white space alone is empty", "공백.txt", lambda: b" \r\n\t", category="empty", reason="only white space"),
    Vector(
        "a wrapped file names its product",
        "규정.txt",
        lambda: b"<## NASCA DRM FILE - VER1.00 ##>" + bytes(64),
        category="drm",
        reason="wrapped by NASCA; save an unprotected copy",
    ),
    Vector(
        "a calendar file is its entries",
        "일정.ics",
        lambda: (
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:점검\nDTSTART;VALUE=DATE:20260302\nEND:VEVENT\nEND:VCALENDAR\n".encode()
        ),
        ("점검", "2026-03-02"),
        ("BEGIN",),
    ),
)
