"""Language and time zone of commands that need no settings: those of the settings file where there is one."""

from __future__ import annotations

import os
from zoneinfo import ZoneInfo

# What settings without these keys say (resources/settings.py).
_LANGUAGE, _ZONE = "ko", "Asia/Seoul"


def spoken(config: str | None) -> tuple[str, ZoneInfo]:
    """Return language and zone. A file that a person named must be readable; one that lies about by chance needn't."""
    from pipelines.errors import SettingsError
    from resources.settings import load_settings

    try:
        settings = load_settings(config)
    except SettingsError:
        if config is not None or "SAERO_CONFIG" in os.environ:
            raise
        return _LANGUAGE, ZoneInfo(_ZONE)
    return settings.language, settings.zone
