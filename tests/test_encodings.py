"""Text without a label: Korean encodings are told by their bytes, and others don't become Korean."""

from __future__ import annotations

import random
import re

import pytest

from pipelines.errors import Corrupt
from pipelines.parsers.charset import decode_labelled, known_codec
from pipelines.parsers.html import decode_html
from pipelines.parsers.text import clean, decode

_WORDS = re.findall(
    r"\S+",
    "결제 승인 정산 가맹점 단말기 수수료 환불 서버 장애 배포 일정 검수 계약 회의록 담당자 확인 바랍니다 예정입니다 "
    "2026년 API 3월 (주) 제5조 보고드립니다. 품목별 금액은 1,250,000원이며 → ※ 참고 %",
)
_PAIRS = {syllable: syllable.encode("cp949") for syllable in map(chr, range(0xAC00, 0xD7A4))}
_KS = [syllable for syllable, pair in _PAIRS.items() if pair[0] >= 0xB0 and pair[1] >= 0xA1]
# Syllables that Windows added to KS X 1001 (UHC): 똠, 펲, 햏.
_UHC = [syllable for syllable in _PAIRS if syllable not in set(_KS)]


def prose(dice: random.Random, size: int, *, uhc: bool = True) -> str:
    """Return office prose of `size` characters, some of its syllables rare."""
    text = ""
    while len(text) < size:
        word = dice.choice(_WORDS)
        if uhc and dice.random() < 0.1:
            word = dice.choice(_UHC) + word + dice.choice(_KS)
        text += word + (" " if dice.random() < 0.9 else "\n")
    return text[: size - 1] + "."


@pytest.mark.parametrize("size", [20, 200, 2000])
@pytest.mark.parametrize(
    "encoding", ["cp949", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "iso2022_kr", "cp949 below ASCII"]
)
def test_korean_prose_is_read_thirty_times_of_thirty(encoding: str, size: int) -> None:
    for seed in range(30):
        text = prose(random.Random(f"{encoding} {size} {seed}"), size, uhc=encoding != "iso2022_kr")
        text = "id,name,value\n" * 740 + text if "ASCII" in encoding else text
        data = text.encode(encoding.split()[0])
        assert decode(data)[0].lstrip("\ufeff") == text


@pytest.mark.parametrize("size", [20, 200, 2000])
@pytest.mark.parametrize("encoding", ["cp949", "utf-8"])
def test_one_damaged_byte_costs_its_character_only(encoding: str, size: int) -> None:
    for seed in range(30):
        dice = random.Random(f"{encoding} {size} {seed}")
        text = prose(dice, size, uhc=False)
        data = text.encode(encoding)
        at = dice.randrange(len(data))
        read, name = decode(data[:at] + b"\xff" + data[at + 1 :])
        assert name.startswith(encoding) and "\ufffd" in read
        before, after = read[: read.index("\ufffd")], read[read.rindex("\ufffd") + 1 :]
        assert text.startswith(before) and text.endswith(after) and len(before) + len(after) >= size - 2


@pytest.mark.parametrize("size", [200, 2000])
def test_johab_is_unknown_not_salad(size: int) -> None:
    for seed in range(30):
        with pytest.raises(Corrupt, match="no known text encoding"):
            decode(prose(random.Random(seed), size).encode("johab"))


@pytest.mark.parametrize(
    "text",
    [
        "compañía de información térmica",
        "Größe und Straße",
        "Größe",
        "naïve café",
        "10 °C",
        "Ärger über Öl",
        "it’s a “test”",
        "Résumé – 5 €",
        "L'été à Paris où l'on va",
        "São João",
    ],
)
def test_western_text_does_not_become_hangul(text: str) -> None:
    assert decode(text.encode("cp1252")) == (text, "cp1252")
    assert decode_labelled(text.encode("cp1252"), "") == (text, True)
    assert decode_labelled(text.encode("cp1252"), "iso-8859-1") == (text, True)


@pytest.mark.parametrize(
    "text",
    [
        "Hello · world “quoted” ㈜ABC",
        "뷁",
        "똠방각하",
        "A社와 B社",
        "漢字 text",
        "→ next",
        "test 똠방 x",
        "① ABC ② DEF",
    ],
)
def test_korean_text_with_much_latin_does_not_become_western(text: str) -> None:
    assert decode(text.encode("cp949")) == (text, "cp949")


@pytest.mark.parametrize("label", ["punycode", "UTF-7", "unicode_escape", "zlib", "a\0b", "x" * 300, "utf8\u200b"])
def test_labels_that_no_mail_program_writes_are_passed_over(label: str) -> None:
    assert known_codec(label) == ""
    assert decode_labelled("결제".encode(), label) == ("결제", True)


def test_a_shift_sequence_says_more_than_a_missing_label() -> None:
    assert decode_labelled("계약서 송부".encode("iso2022_kr"), "us-ascii") == ("계약서 송부", True)


def test_a_page_that_names_utf16_in_ascii_letters_is_utf8() -> None:
    assert "결제" in decode_html('<meta charset="utf-16"><p>결제'.encode())
    assert "결제" in decode_html('<meta charset="iso-8859-1"><p>결제 승인'.encode("cp949"))
    assert "it’s" in decode_html('<meta charset="iso-8859-1"><p>it’s'.encode("cp1252"))


def test_a_pile_of_marks_over_one_letter_takes_no_time() -> None:
    assert len(clean("a" + "\u0315\u0316" * 200_000 + " b")) == 33
    assert clean("ᄀ\u1161\u11a8 é ที่ か\u3099") == "각 é ที่ が"
