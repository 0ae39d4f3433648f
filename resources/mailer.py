"""Send mail through the team's server, or write it into the outbox folder when none is named."""

from __future__ import annotations

import contextlib
import re
import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage, Message
from email.utils import getaddresses
from pathlib import Path
from typing import Literal

from pipelines.errors import MailRefused, SaeroError, TryAgain
from resources.files import write_whole

Security = Literal["none", "starttls", "tls"]


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where a mail went.

    refused   recipients that the server refused for good, with its answer
    deferred  recipients to be tried again later, alone: the others have the mail
    """

    channel: Literal["smtp", "file"]
    path: Path | None = None
    refused: tuple[tuple[str, str], ...] = ()
    deferred: tuple[str, ...] = ()


class Mailer:
    """`send` returns when the server or the disk has the mail; when it raises, nobody has it."""

    def __init__(
        self,
        *,
        host: str,
        port: int = 25,
        security: Security = "none",
        username: str = "",
        password: str = "",
        sender: str = "",
        outbox_dir: Path,
        timeout: float = 10.0,
    ) -> None:
        self.host = host
        self.port = port
        self.security = security
        self.username = username
        self.password = password
        self.sender = sender
        self.outbox_dir = outbox_dir
        self.timeout = timeout

    def send(self, message: EmailMessage, *, only: tuple[str, ...] = ()) -> Delivery:
        """Send `message` to its To and Cc, or to `only` some of them; a mail without recipient goes to the outbox.

        TryAgain when the server is away, busy, or hung up; MailRefused when it said no for good.
        """
        recipients = list(only) or _recipients(message)
        if self.sender and "From" not in message:
            message["From"] = self.sender
        if not self.host or not recipients:
            return Delivery("file", path=self._write(message))
        try:
            refused = self._transmit(message, recipients)
        except smtplib.SMTPRecipientsRefused as error:
            refused = error.recipients
        except smtplib.SMTPResponseException as error:
            raise self._answer(error.smtp_code, error.smtp_error) from error
        except smtplib.SMTPServerDisconnected as error:
            raise TryAgain(f"the mail server {self._where} hung up") from error
        except smtplib.SMTPException as error:  # STARTTLS, login or UTF-8 addresses that it doesn't offer
            raise MailRefused(f"the mail server {self._where} can't do this: {error}; see [mail]") from error
        except UnicodeError as error:
            raise MailRefused("user name and password for the mail server must be ASCII; see [mail]") from error
        except ssl.SSLCertVerificationError as error:
            said = f"the certificate of {self._where} is not trusted ({error.verify_message})"
            raise MailRefused(f"{said}; name your authority's file in SSL_CERT_FILE") from error
        except OSError as error:
            raise TryAgain(f"the mail server {self._where} is away: {error.strerror or error}") from error
        return self._sorted(recipients, refused)

    @property
    def _where(self) -> str:
        return f"{self.host}:{self.port}"

    def _transmit(self, message: EmailMessage, recipients: list[str]) -> dict[str, tuple[int, bytes]]:
        server = self._connect()
        try:
            if self.username:
                server.login(self.username, self.password)
            return server.send_message(message, from_addr=self.sender or None, to_addrs=recipients)
        finally:
            # What goes wrong after the server took the mail must not make it look unsent.
            with contextlib.suppress(smtplib.SMTPException, OSError):
                server.quit()
            server.close()

    def _connect(self) -> smtplib.SMTP:
        if self.security == "tls":
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(self.host, self.port, timeout=self.timeout, context=context)
        server = smtplib.SMTP(self.host, self.port, timeout=self.timeout)
        if self.security == "starttls":
            try:
                server.starttls(context=ssl.create_default_context())
            except BaseException:
                server.close()
                raise
        return server

    def _sorted(self, recipients: list[str], refused: dict[str, tuple[int, bytes]]) -> Delivery:
        """Judge refusals recipient by recipient; raise when nobody got the mail."""
        final = {address: answer for address, answer in refused.items() if answer[0] >= 500}
        if len(refused) == len(set(recipients)):
            code, text = next(iter(refused.values()))
            raise self._answer(code if len(final) == len(refused) else 450, text)
        return Delivery(
            "smtp",
            refused=tuple((address, f"{code} {_words(text)}") for address, (code, text) in final.items()),
            deferred=tuple(address for address in refused if address not in final),
        )

    def _answer(self, code: int, text: bytes | str) -> SaeroError:
        said = f"the mail server {self._where} answered {code} {_words(text)}"
        return MailRefused(f"{said}; see [mail] and the recipients") if code >= 500 else TryAgain(said)

    def _write(self, message: EmailMessage) -> Path:
        """Write the mail whole or not at all; the same Message-ID writes the same file."""
        name = re.sub(r"[^\w.@-]+", "_", str(message["Message-ID"] or "").strip("<>")).lstrip(".")[:120]
        if not name:
            raise MailRefused("a mail needs a Message-ID")
        path = self.outbox_dir / f"{name}.eml"
        try:
            write_whole(path, message.as_bytes())
        except OSError as error:
            raise TryAgain(f"{path} can't be written: {error.strerror}") from error
        return path


def _recipients(message: Message) -> list[str]:
    fields = [str(value) for name in ("To", "Cc") for value in message.get_all(name, [])]
    return [address for _, address in getaddresses(fields) if address]


def _words(text: bytes | str) -> str:
    return " ".join((text.decode("utf-8", "replace") if isinstance(text, bytes) else text).split())[:200]
