"""A mail server of our own, on any free port."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class Postbox:
    """Keeps what it is given; refuses recipients by their first letters."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.answer = "250 OK"
        self.secure: list[bool] = []
        self.received: list[tuple[str, str]] = []  # (recipient, Message-ID)

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, _: Any) -> str:
        if address.startswith("gone"):
            return "550 no such person"
        if address.startswith("full"):
            return "452 mailbox full"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.answer.startswith("250"):
            content = envelope.content
            assert isinstance(content, bytes)
            self.mails.append(message_from_bytes(content, policy=policy.default))
            self.secure.append(session.ssl is not None)
            self.received += [(to, str(self.mails[-1]["Message-ID"])) for to in envelope.rcpt_tos]
        return self.answer


class _Controller(Controller):  # type: ignore[misc]
    """Listens on any free port; aiosmtpd's own check of the connection doesn't do TLS with our certificate."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        socket.create_connection((self.hostname, self.port)).close()


@contextmanager
def serving(postbox: Postbox, *, port: int = 0, **options: Any) -> Iterator[int]:
    """Serve on `port`, any free one when it is 0; yields it."""
    controller = _Controller(postbox, hostname="127.0.0.1", port=port, **options)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()
