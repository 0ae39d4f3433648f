"""Mails: written here first, sent second."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from email.message import EmailMessage
from email.utils import getaddresses
from typing import TYPE_CHECKING, Any

from resources.ledger.rows import as_json, fetch, insert

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
# A mail that was refused this often is a dead letter: it stays visible in `saero alerts`.
MAX_ATTEMPTS = 10


def queue(con: duckdb.DuckDBPyConnection, message: EmailMessage, *, kind: str, now: datetime) -> str:
    """Put a mail into the outbox; the same Message-ID is queued once. Returns its mail_id."""
    if not message["Message-ID"]:
        raise ValueError("a mail needs its Message-ID before it is queued")
    message_id = str(message["Message-ID"])
    known = fetch(con, "select mail_id from mails where message_id = ?", [message_id])
    if known:
        return str(known[0]["mail_id"])
    mail_id = message_id.strip("<>").partition("@")[0]
    insert(
        con,
        "mails",
        [
            {
                "mail_id": mail_id,
                "message_id": message_id,
                "kind": kind,
                "recipients": [address for _, address in getaddresses([str(message["To"] or "")]) if address],
                "subject": str(message["Subject"]),
                "mime": message.as_bytes(),
                "created_at": now,
                "attempts": 0,
                "state": "queued",
            }
        ],
    )
    return mail_id


def unsent(con: duckdb.DuckDBPyConnection, *, failed_too: bool = False) -> list[Row]:
    """Return the mails still to be sent, oldest first; given-up ones when a person asks for them."""
    states = ["queued", "failed"] if failed_too else ["queued"]
    return fetch(con, "select * from mails where list_contains(?, state) order by created_at, mail_id", [states])


def troubled(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the mails without their text that didn't reach everyone, oldest first."""
    return fetch(con, "select * exclude (mime) from mails where last_error is not null order by created_at, mail_id")


def mark(
    con: duckdb.DuckDBPyConnection, mail_id: str, *, state: str, error: str | None, left: Iterable[str], now: datetime
) -> None:
    """Write down one attempt; a queued mail becomes failed after the last one. `left` are those still to be sent to."""
    con.execute(
        """
        update mails set attempts = attempts + 1, last_error = ?, recipients = ?,
            state = case when ? = 'queued' and attempts + 1 >= ? then 'failed' else ? end,
            sent_at = case when ? in ('sent', 'file') then ?::timestamptz else sent_at end
        where mail_id = ?
        """,
        [error, as_json(list(left)), state, MAX_ATTEMPTS, state, state, now, mail_id],
    )


def mails(con: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return every mail without its text, newest first."""
    return fetch(con, "select * exclude (mime) from mails order by created_at desc")


def last_of(con: duckdb.DuckDBPyConnection, kinds: tuple[str, ...]) -> datetime | None:
    """Return when the newest mail of these kinds was queued."""
    rows = fetch(con, "select max(created_at) as newest from mails where list_contains(?, kind)", [list(kinds)])
    when: datetime | None = rows[0]["newest"]
    return when
