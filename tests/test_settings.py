"""saero.toml is read as it is meant, or refused with the key and the file."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from pipelines.errors import SettingsError
from resources.settings import Settings, load_settings, settings_path
from resources.sources import list_sources

PROJECT = Path(__file__).resolve().parent.parent
SECRET = "geheim-비밀-123"
# Every key of DESIGN section 9, optional ones included.
FULL = """
state = ".saero"
language = "en"
[sources."제안서"]
path = "docs/제안서"
owner = "pm@example.com"
review_after = "P180D"
exclude = ["임시/**"]
ttl = [{match = "주간/**", after = "P14D"}, {match = "*계획*", until = "period_end"}]
versions = "demote"
was = ["기획"]
[roots."공유"]
path = "/share"
exclude = ["*.log"]
[[canaries]]
query = "결제 API 타임아웃 설정값"
min_score = 0.75
expect_path = "개발/결제_API_v3.md"
owner = "dev@example.com"
critical = true
[[canaries]]
query = "구내 수영장 강습 시간표"
must_fail = true
[encoder]
model = "bundled"
[schedule]
cron = "*/15 2-4,22 1 JAN mon-fri"
timezone = "Asia/Seoul"
[mail]
host = "smtp.example.com"
port = 587
security = "starttls"
username = "saero"
sender = "saero@example.com"
recipients = ["team@example.com"]
evidence = "text"
digest = "nightly"
[limits]
parse_seconds = 90.5
parse_memory_mb = 1024
stream_mb = 32
file_mb = 512
workers = 2
"""


@pytest.fixture(autouse=True)
def quiet_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in os.environ:
        if name.startswith("SAERO_"):
            monkeypatch.delenv(name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "saero.toml"


def load(file: Path, text: str) -> Settings:
    file.write_text(text, encoding="utf-8")
    return load_settings(str(file))


def refusal(file: Path, text: str) -> str:
    with pytest.raises(SettingsError) as said:
        load(file, text)
    return str(said.value)


def test_every_key_of_the_design_is_read(file: Path) -> None:
    settings = load(file, FULL)
    source = settings.sources["제안서"]
    assert (source.owner, source.review_after, source.exclude, source.versions) == (
        "pm@example.com",
        "P180D",
        ("임시/**",),
        "demote",
    )
    assert [(rule.match, rule.after, rule.until) for rule in source.ttl] == [
        ("주간/**", "P14D", ""),
        ("*계획*", "", "period_end"),
    ]
    assert settings.roots["공유"].exclude == ("*.log",)
    assert [(canary.critical, canary.must_fail) for canary in settings.canaries] == [(True, False), (False, True)]
    assert (settings.mail.security, settings.mail.digest, settings.limits.parse_seconds) == (
        "starttls",
        "nightly",
        90.5,
    )
    assert settings.zone.key == "Asia/Seoul"


def test_an_empty_file_means_the_defaults(file: Path) -> None:
    settings = load(file, "")
    assert (settings.language, settings.mail.evidence, settings.mail.port) == ("ko", "names", 25)
    assert (settings.schedule.cron, settings.encoder.model, settings.limits.workers) == ("0 2 * * *", "bundled", 0)
    assert settings.state_dir == file.parent / ".saero"


def test_the_shipped_settings_load_and_their_folders_stand() -> None:
    settings = load_settings(str(PROJECT / "saero.toml"))
    sources = list_sources(settings)
    assert sources
    assert all(source.path.is_dir() for source in sources)
    assert sum(canary.must_fail for canary in settings.canaries) >= 2
    assert settings.state_dir == PROJECT / ".saero"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("colour = 1", "colour"),
        ('file = "elsewhere.toml"', "file"),
        ("[sources.a]\npath = 'a'\nownr = 'x'", "sources.a.ownr"),
        ("[sources.a]\npath = 'a'\nttl = [{match = 'x', after = 'P1D', unit = 'd'}]", "sources.a.ttl.0.unit"),
        ("[roots.a]\npath = 'a'\nwas = ['b']", "roots.a.was"),
        ("[[canaries]]\nquery = 'q'\n[[canaries]]\nquery = 'r'\nscore = 1", "canaries.1.score"),
        ("[encoder]\nmodle = 'x'", "encoder.modle"),
        ("[schedule]\nstop_at = '07:00'", "schedule.stop_at"),
        ("[mail]\nhots = 'x'", "mail.hots"),
        ("[limits]\nseconds = 1", "limits.seconds"),
    ],
)
def test_an_unknown_key_at_any_depth_names_key_and_file(file: Path, text: str, key: str) -> None:
    assert refusal(file, text) == f"{file}: {key}: unknown key"


def test_every_fault_is_told_at_once(file: Path) -> None:
    lines = refusal(file, "colour = 1\n[mail]\nport = 0\n[schedule]\ncron = 'nightly'").splitlines()
    assert [line.split(": ")[1] for line in lines] == ["schedule.cron", "mail.port", "colour"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("language = 'fr'", "language"),
        ("language = 1", "language"),
        ("sources = ['a']", "sources"),
        ("sources.a = 'folder'", "sources.a"),
        ("[sources.a]\nowner = 'x'", "sources.a.path"),
        ("[sources.a]\npath = ''", "sources.a.path"),
        ("[sources.a]\npath = 1", "sources.a.path"),
        ("[sources.a]\npath = 'a'\nexclude = '*.bak'", "sources.a.exclude"),
        ("[sources.a]\npath = 'a'\nexclude = ['[z-a]']", "sources.a.exclude.0"),
        ("[sources.a]\npath = 'a'\nversions = 'newest'", "sources.a.versions"),
        ("[sources.a]\npath = 'a'\nreview_after = '180'", "sources.a.review_after"),
        ("[sources.a]\npath = 'a'\nttl = [{match = 'x', after = '14D'}]", "sources.a.ttl.0.after"),
        ("[sources.a]\npath = 'a'\nttl = [{match = 'x'}]", "sources.a.ttl.0"),
        ("[sources.a]\npath = 'a'\nttl = [{match = '', after = 'P1D'}]", "sources.a.ttl.0.match"),
        ("[sources.a]\npath = 'a'\nttl = [{match = 'x', after = 'P1D', until = 'period_end'}]", "sources.a.ttl.0"),
        ("[[canaries]]\nquery = ''", "canaries.0.query"),
        ("[[canaries]]\nquery = 'after:어제 결제'", "canaries.0.query"),
        ("[[canaries]]\nquery = 'source:개발'", "canaries.0.query"),
        ("[[canaries]]\nquery = 'q'\nmin_score = 75", "canaries.0.min_score"),
        ("[[canaries]]\nquery = 'q'\nmin_score = nan", "canaries.0.min_score"),
        ("[schedule]\ntimezone = 'Seoul'", "schedule.timezone"),
        ("[schedule]\ntimezone = '../etc/passwd'", "schedule.timezone"),
        ("[schedule]\ntimezone = ''", "schedule.timezone"),
        ("[schedule]\ncron = '0 2 * *'", "schedule.cron"),
        ("[schedule]\ncron = '0 25 * * *'", "schedule.cron"),
        ("[schedule]\ncron = 'a b c d e'", "schedule.cron"),
        ("[schedule]\ncron = '*/0 2 * * *'", "schedule.cron"),
        ("[mail]\nhost = 'smtp.example.com'", "mail"),
        ("[mail]\nport = 70000", "mail.port"),
        ("[mail]\nport = 'smtp'", "mail.port"),
        ("[mail]\nsecurity = 'ssl'", "mail.security"),
        ("[mail]\nrecipients = 'a@example.com'", "mail.recipients"),
        ("[limits]\nworkers = true", "limits.workers"),
        ("[limits]\nworkers = 1.5", "limits.workers"),
        ("[limits]\nparse_seconds = 0", "limits.parse_seconds"),
        ("[limits]\nparse_seconds = inf", "limits.parse_seconds"),
        ("[limits]\nstream_mb = -1", "limits.stream_mb"),
    ],
)
def test_a_wrong_value_names_key_and_file(file: Path, text: str, key: str) -> None:
    assert refusal(file, text).startswith(f"{file}: {key}: ")


def test_a_file_that_is_missing_says_how_to_write_one(file: Path) -> None:
    with pytest.raises(SettingsError, match=r"saero\.toml: no such settings file; `saero init"):
        load_settings(str(file))


def test_a_folder_given_as_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="can't be read: Is a directory"):
        load_settings(str(tmp_path))


def test_a_file_without_permission_is_said(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", forbidden)
    with pytest.raises(SettingsError, match=r"saero\.toml: can't be read: Permission denied"):
        load_settings(str(file))


@pytest.mark.parametrize(
    "data", [b"state = ", b"[mail\n", b"a = 1\na = 2", b"\xff\xfes\x00", "state = '공유'".encode("cp949")]
)
def test_what_is_no_toml_is_said(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with pytest.raises(SettingsError, match=r"saero\.toml: not readable as TOML"):
        load_settings(str(file))


def test_a_file_written_by_a_windows_editor_is_read(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + "language = \"en\"\r\n[sources.'가']\r\npath = 'a'\r\n".encode())
    settings = load_settings(str(file))
    assert (settings.language, list(settings.sources)) == ("en", ["가"])


# ── secrets and the environment ──


def test_a_password_in_the_file_is_refused_without_repeating_it(file: Path) -> None:
    said = refusal(file, f"[mail]\npassword = '{SECRET}'")
    assert said.startswith(f"{file}: mail.password: secrets don't belong in a file; set SAERO_MAIL__PASSWORD")
    assert SECRET not in said


def test_the_password_comes_from_the_environment_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAERO_MAIL__PASSWORD", SECRET)
    settings = load(file, "")
    assert settings.mail.password.get_secret_value() == SECRET
    assert settings.mail.host == ""


def test_the_password_joins_the_mail_table_of_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAERO_MAIL__PASSWORD", SECRET)
    mail = load(file, FULL).mail
    assert (mail.password.get_secret_value(), mail.host, mail.port) == (SECRET, "smtp.example.com", 587)
    assert (mail.sender, mail.recipients) == ("saero@example.com", ("team@example.com",))


def test_the_password_is_never_shown(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAERO_MAIL__PASSWORD", SECRET)
    settings = load(file, FULL)
    assert SECRET not in f"{settings!r}{settings}{settings.mail!r}{settings.mail}{settings.model_dump_json()}"


@pytest.mark.parametrize("text", ["[mail]\nhost = 'h'", "[mail]\nport = 0", "colour = 1"])
def test_a_traceback_of_a_refusal_does_not_show_it(file: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    import traceback

    monkeypatch.setenv("SAERO_MAIL__PASSWORD", SECRET)
    file.write_text(text, encoding="utf-8")
    try:
        load_settings(str(file))
    except SettingsError:
        shown = traceback.format_exc()
    assert SECRET[:6] not in shown


def test_a_malformed_variable_does_not_show_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import traceback

    monkeypatch.setenv("SAERO_MAIL", f'{{"password": "{SECRET}"')
    file.write_text("", encoding="utf-8")
    with pytest.raises(SettingsError, match="environment variable") as said:
        load_settings(str(file))
    assert SECRET[:6] not in "".join(traceback.format_exception(said.value))


def test_other_variables_of_saero_do_not_disturb(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CONFIG", "CASES", "DAGSTER", "FILE", "NO_SUCH_KEY"):
        monkeypatch.setenv(f"SAERO_{name}", "/elsewhere")
    settings = load(file, FULL)
    assert settings.file == file


def test_a_wrong_value_from_the_environment_is_traced_to_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAERO_MAIL__PORT", "smtp")
    assert refusal(file, "").startswith(f"environment variable SAERO_MAIL__PORT, or {file}: mail.port: ")


def test_a_machines_own_value_wins(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAERO_LIMITS__WORKERS", "3")
    limits = load(file, FULL).limits
    assert (limits.workers, limits.stream_mb) == (3, 32)


# ── names and paths ──


def test_names_typed_on_a_mac_are_composed_and_folders_are_not(file: Path) -> None:
    typed = unicodedata.normalize("NFD", FULL)
    settings = load(file, typed)
    assert list(settings.sources) == ["제안서"]
    assert settings.sources["제안서"].exclude == ("임시/**",)
    assert settings.sources["제안서"].was == ("기획",)
    assert settings.canaries[0].expect_path == "개발/결제_API_v3.md"
    assert str(settings.sources["제안서"].path) == unicodedata.normalize("NFD", "docs/제안서"), (
        "the disk's own spelling"
    )


def test_one_name_in_two_spellings_is_refused(file: Path) -> None:
    other = unicodedata.normalize("NFD", "가")
    said = refusal(file, f"[sources.'가']\npath = 'a'\n[sources.'{other}']\npath = 'b'")
    assert said.startswith(f"{file}: sources.가: named twice")


def test_relative_paths_start_from_the_folder_of_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    settings = load(file, "state = 'state/here'\n[sources.a]\npath = '../docs/./a'\n[sources.b]\npath = '/srv/b'")
    assert settings.state_dir == file.parent / "state/here"
    assert [source.path for source in list_sources(settings)] == [file.parent.parent / "docs/a", Path("/srv/b")]


def test_a_home_folder_is_expanded(file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    settings = load(file, "state = '~/state'\n[sources.a]\npath = '~/docs'")
    assert settings.state_dir == tmp_path / "home/state"
    assert list_sources(settings)[0].path == tmp_path / "home/docs"


def test_the_file_is_named_by_option_then_variable_then_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert settings_path() == tmp_path / "saero.toml"
    monkeypatch.setenv("SAERO_CONFIG", "env.toml")
    assert settings_path() == tmp_path / "env.toml"
    assert settings_path("/x/option.toml") == Path("/x/option.toml")


def test_settings_cannot_be_changed_after_reading(file: Path) -> None:
    settings = load(file, "")
    with pytest.raises(ValueError, match="frozen"):
        settings.language = "en"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[mail]\nsender = "a\\nBcc: b@example.com"\n', "mail.sender"),
        ('[mail]\nrecipients = ["x@example.com\\r\\nX: 1"]\n', "mail.recipients"),
        ('[mail]\nrecipients = ["everyone"]\n', "mail.recipients"),
        ('[sources."a"]\npath = "a"\nowner = "somebody"\n', "sources.a.owner"),
        ('[sources."a"]\npath = "x\\u0000y"\n', "sources.a.path"),
        ('[sources."a"]\npath = "~no-such-user/x"\n', "sources.a.path"),
        ('state = "~no-such-user/x"\n', "state"),
    ],
)
def test_what_would_only_fail_at_night_is_refused_at_once(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(SettingsError, match=key.replace(".", r"\.")):
        load(tmp_path / "saero.toml", text)
