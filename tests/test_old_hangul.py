"""Private-use characters of Hangul word processors as standard ones."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.parsers.old_hangul import plain


@pytest.mark.parametrize(
    ("private", "standard"),
    [
        pytest.param("\uf53a글", "\u1112\u119e\u11ab글", id="the name of Hangul in its own specification"),
        pytest.param("나랏말\uebd4미", "나랏말\u110a\u119e미", id="the first words of Hunminjeongeum"),
        pytest.param("\ue0bc", "\u115f\u1161\u11ae", id="the first syllable of the table"),
        pytest.param("\ue0bd", "\u115f\u1161\ud7cd", id="a final of the second extension block"),
        pytest.param("\uf66e", "\u1159\u11a1\u11f0", id="the last syllable of the table"),
        pytest.param("\uf800", "\ua97c", id="a single initial of the first extension block"),
        pytest.param("\uf806\uf8f7", "\u1160\u11f9", id="a single vowel and final"),
        pytest.param("\uf785\uf807\uf86b", "각", id="single jamo that make a modern syllable"),
    ],
)
def test_old_hangul_becomes_conjoining_jamo(private: str, standard: str) -> None:
    assert plain(private) == standard


@pytest.mark.parametrize(
    ("private", "standard"),
    [
        ("\U000f02b1", "①"),
        ("\U000f02b9", "⑨"),
        ("\U000f02cf", "❷"),
        ("\U000f0289", "①"),
        ("\U000f0289\U000f0294", "⑫"),
        ("\U000f028d\U000f0292", "㊿"),
        ("\U000f028d\U000f0293", "51"),
        ("\U000f0491\U000f049c\U000f04a7", "123"),
        ("\U000f012b", "(인)"),
        ("\U000f03ef\U000f03f0", "한글"),
        ("\U000f080f\U000f080f", "━━"),
    ],
)
def test_signs_of_hancom_become_standard_signs(private: str, standard: str) -> None:
    assert plain(f"앞 {private} 뒤") == f"앞 {standard} 뒤"


@pytest.mark.parametrize(
    ("private", "standard"),
    [
        ("\uf020", " "),
        ("\uf06c", "●"),
        ("\uf0a7", "▪"),
        ("\uf0e8", "➔"),
        ("\uf08c", "❶"),
        ("\uf0fe", "☑"),
        ("\uf0fc", "✔"),
    ],
)
def test_signs_of_wingdings_become_standard_signs(private: str, standard: str) -> None:
    assert plain(private) == standard


def test_what_no_table_knows_stays() -> None:
    for unknown in ("\ue000", "\uf700", "\uf07f", "\U000f0000", "\U000f0854", "\U000fffff"):
        assert plain(unknown) == unknown


@given(st.text(st.characters(codec="utf-8")))
def test_plain_text_is_plain_already(text: str) -> None:
    once = plain(text)
    assert plain(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(st.text(st.characters(max_codepoint=0xDFFF, exclude_categories=("Cs", "Co"))))
def test_text_without_private_characters_only_becomes_nfc(text: str) -> None:
    assert plain(text) == unicodedata.normalize("NFC", text)
