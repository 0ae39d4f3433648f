"""What to type to see more of an alert, or to answer it."""

from __future__ import annotations

import shlex
import unicodedata
from collections.abc import Mapping

# The day is the person's to choose; everything else is filled in. What waits for review has two answers, and each
# hides or keeps a document: the list is shown, none of them is proposed.
DAY = "YYYY-MM-DD"
COMMANDS: dict[str, str] = {
    "superseded": "saero review undo {id}",
    "version_doubt": "saero review",
    "contradiction": "saero review",
    "redundancy_returned": "saero redundancy",
    "deletions_held": "saero refresh --accept-deletions {source}",
    "source_unreachable": "saero status",
    "source_unconfigured": "saero refresh --forget {source}",
    "publish_held": "saero refresh --publish",
    "expires_soon": "saero documents renew {place} --until " + DAY,
    "review_due": "saero documents review {place}",
    "feedback": "saero documents review {place}",
    "run_failed": "saero refresh",
    "run_missing": "saero status",
    "canary_new": "saero canaries accept {canary_id}",
    "canary_moved": "saero canaries accept {canary_id}",
    "canary_value_changed": "saero canaries accept {canary_id}",
}


def command_for(kind: str, source: str, path: str, detail: Mapping[str, object]) -> str:
    """Return the command with its arguments quoted for a shell; "" where there is none or a name can't be typed."""
    template = COMMANDS.get(kind, "")
    values = {
        "source": source,
        "place": f"{source}/{path}",
        "id": str(detail.get("id") or ""),
        "canary_id": str(detail.get("canary_id") or ""),
    }
    used = {name: value for name, value in values.items() if "{" + name + "}" in template}
    if not all(value.strip("/") and _typeable(value) for value in used.values()):
        return ""
    return template.format(**{name: shlex.quote(value) for name, value in used.items()})


def _typeable(value: str) -> bool:
    return not any(unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") for letter in value)
