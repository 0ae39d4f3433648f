"""Which calibration speaks for an encoder: the one fitted here, the shipped one, or words alone."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from pipelines.score import Calibration, calibration_for

if TYPE_CHECKING:
    from resources.published import Published

_TUPLES = ("answer", "sizes")


def constants_of(calibration: Calibration) -> dict[str, Any]:
    """Return a fitted calibration as it is stored."""
    return {name: value for name, value in dataclasses.asdict(calibration).items() if value is not None}


def calibration_of(encoder_id: str, constants: dict[str, Any] | None) -> Calibration:
    """Return the calibration of stored constants, the encoder's own without them."""
    if not constants:
        return calibration_for(encoder_id)
    known: dict[str, Any] = {name: tuple(value) if name in _TUPLES else value for name, value in constants.items()}
    return Calibration(**known)


def published_calibration(record: Published) -> Calibration:
    """Return the calibration that a publication is scored by."""
    return calibration_of(record.encoder, record.constants)
