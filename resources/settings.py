"""saero.toml, read in one place. Unknown keys are errors; secrets come from the environment only."""

from __future__ import annotations

import os
import re
import tomllib
import unicodedata
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings.exceptions import SettingsError as EnvironmentFault

from pipelines.duration import parse_duration
from pipelines.errors import Refused, SettingsError
from pipelines.grammar import read
from pipelines.scan import Globs

DEFAULT_NAME = "saero.toml"
# Names of the disk and of models are used as they are written; all other text is compared with NFC names.
_VERBATIM = frozenset({"path", "state", "model"})


def _readable(value: str) -> str:
    """A question of filters alone, or with a day that is none, could never be asked."""
    try:
        read(value)
    except Refused as error:
        raise ValueError(str(error)) from error
    return value


def _no_bool(value: Any) -> Any:
    """TOML tells 1 from true, Python doesn't."""
    if isinstance(value, bool):
        raise ValueError("a number is needed")
    return value


def _glob(value: str) -> str:
    Globs([value])
    return value


def _folder_path(value: Any) -> Any:
    if value == "":
        raise ValueError('a folder is needed; "." is the folder of this file')
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError("a path can't hold a NUL character")
        try:
            Path(value).expanduser()
        except RuntimeError as error:
            raise ValueError(f"{value!r}: no such user, so ~ stands for no folder") from error
    return value


def _address(address: str) -> str:
    """Refuse what can't stand in a mail's header: one bad address would cost every mail."""
    if address and ("@" not in address or any(ord(letter) < 32 or ord(letter) == 127 for letter in address)):
        raise ValueError(f"{address!r} is no mail address")
    return address


def _duration(value: str) -> str:
    if value:
        parse_duration(value)
    return value


Whole = Annotated[int, BeforeValidator(_no_bool)]
Number = Annotated[float, BeforeValidator(_no_bool), Field(allow_inf_nan=False)]
Glob = Annotated[str, Field(min_length=1), AfterValidator(_glob)]
FolderPath = Annotated[Path, BeforeValidator(_folder_path)]
Duration = Annotated[str, AfterValidator(_duration)]
Address = Annotated[str, AfterValidator(_address)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class TtlRule(_Table):
    """Documents whose path matches expire `after` their own date, or at the end of the period they plan for."""

    match: Glob
    after: Duration = ""
    until: Literal["", "period_end"] = ""

    @model_validator(mode="after")
    def _one_of(self) -> TtlRule:
        if bool(self.after) == bool(self.until):
            raise ValueError('give either after = "P14D" or until = "period_end"')
        return self


class _Folder(_Table):
    path: FolderPath
    owner: Address = ""
    review_after: Duration = ""
    exclude: tuple[Glob, ...] = ()
    ttl: tuple[TtlRule, ...] = ()
    versions: Literal["replace", "demote", "list"] = "replace"


class Source(_Folder):
    """One folder, one partition."""

    was: tuple[str, ...] = ()


class Root(_Folder):
    """A folder whose sub-folders become sources of their own."""


class CanarySettings(_Table):
    """A question that the corpus must be able to answer (or, with must_fail, must not)."""

    query: Annotated[str, AfterValidator(_readable)]
    min_score: Number = Field(default=0.75, ge=0, le=1)
    expect_path: str = ""
    expect_text: str = ""
    owner: Address = ""
    critical: bool = False
    must_fail: bool = False


class EncoderSettings(_Table):
    """Which model turns passages into vectors."""

    model: str = "bundled"


class ScheduleSettings(_Table):
    """When the nightly run starts, and the zone in which days end."""

    cron: str = "0 2 * * *"
    timezone: str = "Asia/Seoul"
    stop_by: str = ""
    publish_every: Duration = "PT30M"

    @field_validator("stop_by")
    @classmethod
    def _clock(cls, value: str) -> str:
        if value and not re.fullmatch(r"(?:[01]\d|2[0-3]):[0-5]\d", value):
            raise ValueError(f'{value!r} is no time of day such as "07:00"')
        return value

    @field_validator("publish_every")
    @classmethod
    def _some(cls, value: str) -> str:
        if not value:
            raise ValueError("give a duration such as PT30M")
        return value

    @field_validator("timezone")
    @classmethod
    def _zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError(f"{value!r} is no time zone name such as Asia/Seoul") from error
        return value

    @field_validator("cron")
    @classmethod
    def _cron(cls, value: str) -> str:
        fields = value.split()
        if len(fields) != len(_CRON):
            raise ValueError(
                f'{value!r} is no schedule of five fields such as "0 2 * * *" (minute hour day month weekday)'
            )
        numbers = [_cron_field(field, *known) for field, known in zip(fields, _CRON, strict=True)]
        if min(numbers[2]) > max(_LONGEST[month - 1] for month in numbers[3]):
            raise ValueError(f"{value!r}: no such month has that day, so it would never run")
        return value


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
# Name, lowest and highest number of each field (0 and 7 are Sunday), and its words, as in crontab(5).
_CRON: tuple[tuple[str, int, int, dict[str, int]], ...] = (
    ("minute", 0, 59, {}),
    ("hour", 0, 23, {}),
    ("day", 1, 31, {}),
    ("month", 1, 12, {word: number for number, word in enumerate(_MONTHS, 1)}),
    ("weekday", 0, 7, {word: number for number, word in enumerate(_DAYS)}),
)
_CRON_PART = re.compile(r"(?:\*|(\d\d?|[a-z]{3})(?:-(\d\d?|[a-z]{3}))?)(?:/(\d\d?))?", re.ASCII)


def _cron_field(text: str, name: str, low: int, high: int, words: dict[str, int]) -> set[int]:
    """Return the numbers a field names: * 5 1-5 mon-fri */15 1,3; raises ValueError."""
    named: set[int] = set()
    for part in text.lower().split(","):
        found = _CRON_PART.fullmatch(part)
        if not found:
            raise ValueError(f"{name} {part!r} is no number from {low} to {high}, range or step")
        first, last, step = found.groups()
        begin = _cron_number(first, words) if first else low
        end = _cron_number(last, words) if last else begin if first and not step else high
        if not low <= begin <= end <= high:
            raise ValueError(f"{name} {part!r}: numbers go from {low} to {high}, the lower one first")
        if not 1 <= int(step or 1) <= (end if last else high):  # a step beyond the range is never taken
            raise ValueError(f"{name} {part!r}: a step of {step or 1} leaves one number: write {begin}")
        named.update(range(begin, end + 1, int(step or 1)))
    return named


def _cron_number(text: str, words: dict[str, int]) -> int:
    """Return the number of a digit or word; -1 for a word that the field doesn't know."""
    return int(text) if text.isdigit() else words.get(text, -1)


class MailSettings(_Table):
    """Where alerts go. Without a host every mail is written to outbox/ as .eml."""

    host: str = ""
    port: Whole = Field(default=25, ge=1, le=65535)
    security: Literal["none", "starttls", "tls"] = "none"
    username: str = ""
    password: SecretStr = SecretStr("")
    sender: Address = ""
    recipients: tuple[Address, ...] = ()
    evidence: Literal["names", "text", "counts"] = "names"
    digest: Literal["weekly", "nightly"] = "weekly"

    @model_validator(mode="after")
    def _complete(self) -> MailSettings:
        if self.host and not self.sender:
            raise ValueError("a mail host needs a sender")
        return self


# A terabyte: beyond it a limit is a slip of the key, and bytes no longer fit what the system counts with.
_MOST_MB = 1 << 20


class LimitSettings(_Table):
    """What one document may cost."""

    parse_seconds: Number = Field(default=120, gt=0)
    parse_memory_mb: Whole = Field(default=2048, ge=256, le=_MOST_MB)
    stream_mb: Whole = Field(default=64, ge=1, le=_MOST_MB)
    file_mb: Whole = Field(default=1024, ge=1, le=_MOST_MB)
    workers: Whole = Field(default=0, ge=0, le=256)


class OcrSettings(_Table):
    """Whether pages that are pictures of text are read by tesseract, and how much of it a document may ask for."""

    enabled: bool = False
    languages: str = Field(default="kor+eng", pattern=r"^[A-Za-z_]+(\+[A-Za-z_]+)*$")
    pages: Whole = Field(default=100, ge=1)
    page_seconds: Number = Field(default=60, gt=0)


class SearchSettings(_Table):
    """Words that full text keeps whole: names of products and teams that Kiwi doesn't know."""

    words: tuple[Annotated[str, Field(min_length=2, max_length=40, pattern=r"^\S+$")], ...] = ()


class SearchLogSettings(_Table):
    """Whether the words of questions are kept (90 days), or only how often each document is found."""

    text: bool = False


class ContradictionSettings(_Table):
    """Whether each night compares what the passages of canaries state with what their neighbours do."""

    nightly: bool = False


class _Environment(EnvSettingsSource):
    """SAERO_* variables of the keys below; SAERO_FILE names none."""

    def __call__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__call__().items() if name != "file"}


class Settings(BaseSettings):
    """Everything saero.toml says. `file` is its path; relative paths in it are relative to its folder."""

    model_config = SettingsConfigDict(
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,  # a traceback must not show the mail password
        env_prefix="SAERO_",
        env_nested_delimiter="__",
        nested_model_default_partial_update=True,
    )

    file: Path
    state: FolderPath = Path(".saero")
    language: Literal["ko", "en"] = "ko"
    sources: dict[str, Source] = Field(default_factory=dict)
    roots: dict[str, Root] = Field(default_factory=dict)
    canaries: tuple[CanarySettings, ...] = ()
    encoder: EncoderSettings = EncoderSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    mail: MailSettings = MailSettings()
    limits: LimitSettings = LimitSettings()
    ocr: OcrSettings = OcrSettings()
    search: SearchSettings = SearchSettings()
    search_log: SearchLogSettings = SearchLogSettings()
    contradictions: ContradictionSettings = ContradictionSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment before file: a secret or a machine's own value wins."""
        return _Environment(settings_cls), init_settings

    @property
    def folder(self) -> Path:
        """The folder that relative paths start from."""
        return self.file.parent

    @property
    def state_dir(self) -> Path:
        """The absolute state folder."""
        return self.folder / self.state.expanduser()

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which days and periods end."""
        return ZoneInfo(self.schedule.timezone)


def settings_path(config: str | None = None) -> Path:
    """Return the settings file that `--config`, SAERO_CONFIG or the working directory names."""
    named = config or os.environ.get("SAERO_CONFIG") or DEFAULT_NAME
    return Path(named).absolute()


def load_settings(config: str | None = None) -> Settings:
    """Read and judge the settings; raises SettingsError naming key and file."""
    file = settings_path(config)
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8-sig"))  # Windows editors begin a file with a mark
    except FileNotFoundError as error:
        raise SettingsError(f"{file}: no such settings file; `saero init FOLDER...` writes one") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: not readable as TOML: {error}") from error
    except OSError as error:
        raise SettingsError(f"{file}: can't be read: {error.strerror}") from error
    if "file" in data:
        raise SettingsError(f"{file}: file: unknown key")
    _refuse_secrets(data, file)
    try:
        return Settings(**{**_composed(data, file), "file": file})
    except ValidationError as error:
        raise SettingsError(_explain(error, file)) from error
    except EnvironmentFault as error:
        raise SettingsError(f"an environment variable SAERO_... can't be read: {error}") from error


def _composed(value: Any, file: Path, key: str = "") -> Any:
    """NFC names and texts, whatever editor wrote them; folders keep the spelling of the disk."""
    if isinstance(value, list):
        return [_composed(item, file, key) for item in value]
    if isinstance(value, str):
        return value if key in _VERBATIM else unicodedata.normalize("NFC", value)
    if not isinstance(value, dict):
        return value
    made: dict[str, Any] = {}
    for name, item in value.items():
        composed = unicodedata.normalize("NFC", name)
        if composed in made:
            raise SettingsError(f"{file}: {f'{key}.' if key else ''}{composed}: named twice, in two Unicode spellings")
        made[composed] = _composed(item, file, composed)
    return made


def _refuse_secrets(data: dict[str, Any], file: Path) -> None:
    mail = data.get("mail")
    if isinstance(mail, dict) and "password" in mail:
        raise SettingsError(f"{file}: mail.password: secrets don't belong in a file; set SAERO_MAIL__PASSWORD instead")


def _explain(error: ValidationError, file: Path) -> str:
    lines = []
    for item in error.errors(include_url=False, include_input=False):
        key = ".".join(str(part) for part in item["loc"])
        said = "unknown key" if item["type"] == "extra_forbidden" else item["msg"].removeprefix("Value error, ")
        variable = "SAERO_" + "__".join(str(part) for part in item["loc"]).upper()
        place = f"environment variable {variable}, or {file}" if variable in os.environ else str(file)
        lines.append(f"{place}: {key or 'settings'}: {said}")
    return "\n".join(lines)
