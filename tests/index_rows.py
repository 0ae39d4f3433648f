"""Rows of the index for tests: sound, small, told apart by their number."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np

NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)


def row(number: int, tokens: str = "결제 대기 시간", **other: Any) -> dict[str, Any]:
    angle = number / 10
    made: dict[str, Any] = {
        "chunk_id": f"{number:032x}",
        "body_hash": "b",
        "chunk_hash": f"h{number}",
        "row_hash": f"r{number}",
        "text": f"본문 {number}",
        "tokens": tokens,
        "title": None,
        "heading": ["제1장", "총칙"],
        "vector": np.array([np.cos(angle), np.sin(angle), 0, 0], np.float32),
        "source": "제안서",
        "path": f"{number}.md",
        "format": "md",
        "locator": "{}",
        "also_in": "[]",
        "modified_at": NOW,
        "clock": "file",
        "expires_at": None,
        "flags": "[]",
        "encoder_id": "test@0/fp32/512",
        "ordinal": number,
        "n_tokens": 10,
    }
    return made | other
