"""Which encoder model is meant, where its folder is, and what its files say of it (no torch here)."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelines.errors import SettingsError
from resources.unpack import (
    BUNDLED_NAME,
    PROMPTS,
    RECORD,
    UNPACK_VERSION,
    bundled_hash,
    is_unpacked,
    read_record,
    unpack_bundled,
    write_record,
)

BUNDLED = "bundled"
# What decides a vector besides the weights; a README or a framework's version doesn't.
_IDENTITY_FILES = ("*.safetensors", "*.bin", "tokenizer.json", "modules.json", "*/config.json", "*/*.safetensors")
# Cards of the E5 family ask for these prompts, but their folders don't always name them.
_E5 = re.compile(r"(?:^|[-_/])e5(?:[-_]|$)", re.IGNORECASE)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What a SentenceTransformer folder says of itself; `max_tokens` counts prompt and special tokens too."""

    dimension: int
    max_tokens: int
    query_prompt: str
    passage_prompt: str


def model_folder(model: str, models: Path) -> Path:
    """Return the folder of "bundled", a path, or a sentence-transformers name; made once under `models` if missing."""
    own = Path(model).expanduser()
    if model != BUNDLED and own.is_dir():
        return own
    folder = record_folder(model, models)
    if model == BUNDLED:
        unpack_bundled(folder)
    elif not (folder / "modules.json").is_file():
        _fetch(model, folder)
    return folder


def record_folder(model: str, models: Path) -> Path:
    """Return where saero keeps its own record of a model (and the model, unless it is a person's folder)."""
    if model == BUNDLED:
        return models / BUNDLED_NAME
    own = Path(model).expanduser()
    if own.is_dir():
        mark = hashlib.sha256(str(own.resolve()).encode()).hexdigest()[:8]
        return models / f"{own.resolve().name}-{mark}"
    return models / re.sub(r"[^\w.-]+", "--", model)


def is_ready(model: str, models: Path) -> bool:
    """Tell whether the model can be asked for its identity and its tokens without a file being written in `models`."""
    folder = record_folder(model, models)
    if model == BUNDLED:
        return is_unpacked(folder)
    return not Path(model).expanduser().is_dir() and (folder / RECORD).is_file()


def read_facts(folder: Path) -> ModelFacts:
    """Read dimension, limit and prompts from the folder's JSON files; raises SettingsError when one is missing."""
    config = _json(folder / "config.json")
    prompts = _json(folder / "config_sentence_transformers.json", optional=True).get("prompts") or {}
    if not any(prompts.values()) and _E5.search(folder.name):
        prompts = PROMPTS
    return ModelFacts(
        dimension=_dimension(folder, config),
        max_tokens=_max_tokens(folder, config),
        query_prompt=prompts.get("query", ""),
        passage_prompt=prompts.get("passage") or prompts.get("document", ""),
    )


def encoder_identity(model: str, models: Path) -> str:
    """Return the encoder id: name, weights and prompts, precision, token limit.

    "multilingual-e5-small@1571fc98/fp32/512". Cheap: hashes are kept in the record folder's saero.json until a
    file's size or time changes.
    """
    if model == BUNDLED:
        weights = bundled_hash(record_folder(model, models))
        return _identity(BUNDLED_NAME, f"{weights}/{UNPACK_VERSION}", PROMPTS["query"], PROMPTS["passage"], 512)
    folder = model_folder(model, models)
    facts = read_facts(folder)
    name = folder.resolve().name.rsplit("--", 1)[-1]
    weights = _weights_hash(folder, record_folder(model, models))
    return _identity(name, weights, facts.query_prompt, facts.passage_prompt, facts.max_tokens)


def _identity(name: str, weights: str, query_prompt: str, passage_prompt: str, max_tokens: int) -> str:
    known = json.dumps([weights, query_prompt, passage_prompt], ensure_ascii=False)
    return f"{name}@{hashlib.sha256(known.encode()).hexdigest()[:8]}/fp32/{max_tokens}"


def _weights_hash(folder: Path, record_at: Path) -> str:
    files = sorted({file for pattern in _IDENTITY_FILES for file in folder.glob(pattern)})
    stamp = [[str(file.relative_to(folder)), file.stat().st_size, file.stat().st_mtime_ns] for file in files]
    record = read_record(record_at)
    if record.get("stamp") != stamp:
        total = hashlib.sha256()
        for file in files:
            with file.open("rb") as stream:
                total.update(str(file.relative_to(folder)).encode() + hashlib.file_digest(stream, "sha256").digest())
        record = {"stamp": stamp, "weights": total.hexdigest()}
        write_record(record_at, record)
    return str(record["weights"])


def _fetch(model: str, folder: Path) -> None:
    """Let sentence-transformers find `model` (its cache or its hub) and keep a copy that needs no network again."""
    from sentence_transformers import SentenceTransformer

    _log.info("fetching encoder %s", model)
    try:
        found = SentenceTransformer(model, device="cpu")
    except (OSError, ValueError) as error:
        raise SettingsError(
            f'encoder.model = "{model}" can\'t be loaded: give "bundled", a folder, '
            "or a name that sentence-transformers can fetch from here"
        ) from error
    aside = folder.with_name(folder.name + ".part")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    found.save_pretrained(str(aside), create_model_card=False)
    shutil.rmtree(folder, ignore_errors=True)
    aside.rename(folder)


def _dimension(folder: Path, config: dict[str, Any]) -> int:
    """Return the size of the last Dense module if there is one, else the hidden size."""
    for module in reversed(_json(folder / "modules.json")["modules"]):
        size = _json(folder / module["path"] / "config.json", optional=True).get("out_features")
        if size:
            return int(size)
    return int(config.get("hidden_size") or config["d_model"])


def _max_tokens(folder: Path, config: dict[str, Any]) -> int:
    """Return the smallest limit that the files name: the sequence length, the tokenizer's, the positions."""
    named = (
        _json(folder / "sentence_bert_config.json", optional=True).get("max_seq_length"),
        _json(folder / "tokenizer_config.json", optional=True).get("model_max_length"),
        config.get("max_position_embeddings"),
    )
    return min((int(limit) for limit in named if limit), default=512)


def _json(file: Path, optional: bool = False) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        if optional:
            return {}
        raise SettingsError(f"{file.parent} isn't a SentenceTransformer folder: {file.name} is missing") from error
    return content if isinstance(content, dict) else {"modules": content}
