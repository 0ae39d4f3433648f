"""One partition a source folder."""

from __future__ import annotations

from functools import cache

import dagster as dg

from resources.build import Saero, build


@cache
def saero() -> Saero:
    """The handles of this code location: the settings that SAERO_CONFIG or the working directory names."""
    return build()


def source_partitions() -> dg.StaticPartitionsDefinition:
    """Partition keys are the sources of saero.toml, in its order, as they were when this process began."""
    return dg.StaticPartitionsDefinition([source.name for source in saero().sources])
