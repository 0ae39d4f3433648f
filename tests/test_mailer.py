"""Mail against real servers on this machine: plain, STARTTLS, TLS and login."""

from __future__ import annotations

import ipaddress
import ssl
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from postbox import Postbox, serving

from pipelines.errors import MailRefused, TryAgain
from resources.mailer import Mailer

SUBJECT = "[새로] 확인 2건: 제안서 폴더 (11월 30일)"
BODY = "제안서/견적서.docx를 읽지 못했습니다.\n"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate for 127.0.0.1 with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(built.public_bytes(pem) + secret)
    return path


def tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def mail(to: str = "담당자 <pm@example.com>") -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = SUBJECT
    if to:
        message["To"] = to
    message["Message-ID"] = "<saero-digest-1@files01>"
    message.set_content(BODY)
    message.add_alternative(f"<p>{BODY}</p>", subtype="html")
    return message


def mailer(folder: Path, port: int = 0, **options: Any) -> Mailer:
    host = "127.0.0.1" if port else ""
    return Mailer(host=host, port=port, sender="saero@example.com", outbox_dir=folder, timeout=5, **options)


def assert_intact(message: EmailMessage) -> None:
    assert message["Subject"] == SUBJECT
    assert message["To"] == "담당자 <pm@example.com>"
    assert message["From"] == "saero@example.com"
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content().replace("\r\n", "\n") == BODY


def test_a_plain_relay_gets_korean_intact(tmp_path: Path) -> None:
    postbox = Postbox()
    with serving(postbox) as port:
        delivery = mailer(tmp_path, port).send(mail())
    assert (delivery.channel, delivery.refused, delivery.deferred) == ("smtp", (), ())
    (message,) = postbox.mails
    assert_intact(message)


def test_starttls_encrypts(tmp_path: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    postbox = Postbox()
    with serving(postbox, tls_context=tls(certificate), require_starttls=True) as port:
        mailer(tmp_path, port, security="starttls").send(mail())
    assert postbox.secure == [True]
    assert_intact(postbox.mails[0])


def test_tls_from_the_start(tmp_path: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    postbox = Postbox()
    with serving(postbox, ssl_context=tls(certificate)) as port:
        mailer(tmp_path, port, security="tls").send(mail())
    assert_intact(postbox.mails[0])


def test_a_certificate_nobody_vouches_for_is_refused(tmp_path: Path, certificate: Path) -> None:
    postbox = Postbox()
    with (
        serving(postbox, tls_context=tls(certificate)) as port,
        pytest.raises(MailRefused, match="SSL_CERT_FILE"),
    ):
        mailer(tmp_path, port, security="starttls").send(mail())
    assert not postbox.mails


def test_a_server_without_starttls_gets_nothing_in_the_clear(tmp_path: Path) -> None:
    postbox = Postbox()
    with serving(postbox) as port, pytest.raises(MailRefused, match="STARTTLS"):
        mailer(tmp_path, port, security="starttls").send(mail())
    assert not postbox.mails


@pytest.mark.parametrize(("password", "complaint"), [("pass", ""), ("wrong", "535"), ("비밀", "ASCII")])
def test_login(
    tmp_path: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch, password: str, complaint: str
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    postbox = Postbox()

    def check(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        return AuthResult(success=(data.login, data.password) == (b"saero", b"pass"), handled=False)

    with serving(postbox, tls_context=tls(certificate), authenticator=check, auth_required=True) as port:
        sender = mailer(tmp_path, port, security="starttls", username="saero", password=password)
        if complaint:
            with pytest.raises(MailRefused, match=complaint):
                sender.send(mail())
        else:
            sender.send(mail())
    assert len(postbox.mails) == (0 if complaint else 1)


def test_a_server_that_is_down_is_tried_again(tmp_path: Path) -> None:
    with serving(Postbox()) as port:
        pass
    with pytest.raises(TryAgain, match="is away"):
        mailer(tmp_path, port).send(mail())


def test_a_busy_server_is_tried_again_and_a_no_is_final(tmp_path: Path) -> None:
    postbox = Postbox()
    with serving(postbox) as port:
        postbox.answer = "451 come back later"
        with pytest.raises(TryAgain, match="451 come back later"):
            mailer(tmp_path, port).send(mail())
        postbox.answer = "554 no spam"
        with pytest.raises(MailRefused, match="554 no spam"):
            mailer(tmp_path, port).send(mail())


def test_recipients_are_judged_one_by_one(tmp_path: Path) -> None:
    postbox = Postbox()
    with serving(postbox) as port:
        delivery = mailer(tmp_path, port).send(mail("pm@example.com, gone@example.com, full@example.com"))
        assert delivery.refused == (("gone@example.com", "550 no such person"),)
        assert delivery.deferred == ("full@example.com",)
        with pytest.raises(MailRefused, match="550"):
            mailer(tmp_path, port).send(mail("gone@example.com"))
        with pytest.raises(TryAgain):
            mailer(tmp_path, port).send(mail("gone@example.com, full@example.com"))
        mailer(tmp_path, port).send(mail("gone@example.com, pm@example.com"), only=("pm@example.com",))
    assert len(postbox.mails) == 2


@pytest.mark.parametrize("to", ["담당자 <pm@example.com>", ""])
def test_without_a_server_mails_become_files_that_can_be_opened(tmp_path: Path, to: str) -> None:
    outbox = tmp_path / "outbox"
    delivery = mailer(outbox).send(mail(to))
    assert delivery.path == outbox / "saero-digest-1@files01.eml"
    read = message_from_bytes(delivery.path.read_bytes(), policy=policy.default)
    assert read["Subject"] == SUBJECT
    assert mailer(outbox).send(mail(to)).path == delivery.path
    assert [path.name for path in outbox.iterdir()] == [delivery.path.name]


def test_a_message_id_cannot_leave_the_outbox(tmp_path: Path) -> None:
    message = mail()
    message.replace_header("Message-ID", "<../../.. /evil@x>")
    path = mailer(tmp_path / "outbox").send(message).path
    assert path is not None
    assert path.parent == tmp_path / "outbox"
