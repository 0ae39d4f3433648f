"""The outbox on its way: queued mails go to the server, or to files when none is named."""

from __future__ import annotations

import email
import email.policy
import json
import logging
from collections import Counter
from datetime import datetime
from email.message import EmailMessage
from typing import TYPE_CHECKING

from pipelines.errors import MailRefused, SaeroError
from resources.ledger import outbox

if TYPE_CHECKING:
    from resources.build import Saero

_log = logging.getLogger(__name__)


def send_queued(saero: Saero, now: datetime, *, failed_too: bool = False) -> dict[str, int]:
    """Try every queued mail once; returns state -> count. What isn't sent stays queued for the next run."""
    with saero.ledger.transaction("outbox") as con:
        waiting = outbox.unsent(con, failed_too=failed_too)
    counts: Counter[str] = Counter()
    for row in waiting:
        state, error = "queued", None
        left = tuple(json.loads(row["recipients"]))
        try:
            delivery = saero.mailer.send(message_of(row["mime"]), only=left if row["attempts"] else ())
            state = "sent" if delivery.channel == "smtp" else "file"
            if delivery.refused:
                error = "refused: " + "; ".join(f"{address} ({answer})" for address, answer in delivery.refused)
            if delivery.deferred:
                state, left = "queued", delivery.deferred  # the others have it
        except MailRefused as refused:
            state, error = "failed", str(refused)
        except SaeroError as away:  # the server is away, or the outbox folder can't be written
            error = str(away)
        counts[state] += 1
        _log.info("mail %s: %s", row["mail_id"], state)
        with saero.ledger.transaction("outbox") as con:
            outbox.mark(con, row["mail_id"], state=state, error=error, left=left, now=now)
    return dict(counts)


def message_of(mime: bytes) -> EmailMessage:
    """Read a mail as it was queued."""
    message = email.message_from_bytes(mime, policy=email.policy.SMTPUTF8)
    assert isinstance(message, EmailMessage)
    return message
