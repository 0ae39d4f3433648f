"""saero.toml, read in one place. Unknown keys are errors; secrets come from the environment only."""

from __future__ import annotations

import os
import tomllib
import unicodedata
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from pipelines.errors import SettingsError
from pipelines.expiry import parse_duration

DEFAULT_NAME = "saero.toml"


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TtlRule(_Table):
    """Documents whose path matches expire `after` their own date, or at the end of the period they plan for."""

    match: str
    after: str = ""
    until: Literal["", "period_end"] = ""

    @field_validator("after")
    @classmethod
    def _duration(cls, value: str) -> str:
        if value:
            parse_duration(value)
        return value

    @model_validator(mode="after")
    def _one_of(self) -> TtlRule:
        if bool(self.after) == bool(self.until):
            raise ValueError('give either after = "P14D" or until = "period_end"')
        return self


class _Folder(_Table):
    path: Path
    owner: str = ""
    review_after: str = ""
    exclude: tuple[str, ...] = ()
    ttl: tuple[TtlRule, ...] = ()
    versions: Literal["replace", "demote", "list"] = "replace"

    @field_validator("review_after")
    @classmethod
    def _duration(cls, value: str) -> str:
        if value:
            parse_duration(value)
        return value


class Source(_Folder):
    """One folder, one partition."""

    was: tuple[str, ...] = ()


class Root(_Folder):
    """A folder whose sub-folders become sources of their own."""


class CanarySettings(_Table):
    """A question that the corpus must be able to answer (or, with must_fail, must not)."""

    query: str = Field(min_length=1)
    min_score: float = Field(default=0.75, ge=0, le=1)
    expect_path: str = ""
    expect_text: str = ""
    owner: str = ""
    critical: bool = False
    must_fail: bool = False


class EncoderSettings(_Table):
    """Which model turns passages into vectors."""

    model: str = "bundled"


class ScheduleSettings(_Table):
    """When the nightly run starts, and how it ends."""

    cron: str = "0 2 * * *"
    timezone: str = "Asia/Seoul"

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
        if len(value.split()) != 5:
            raise ValueError('five fields are needed, as in "0 2 * * *"')
        return value


class MailSettings(_Table):
    """Where alerts go. Without a host every mail is written to outbox/ as .eml."""

    host: str = ""
    port: int = Field(default=25, ge=1, le=65535)
    security: Literal["none", "starttls", "tls"] = "none"
    username: str = ""
    password: SecretStr = SecretStr("")
    sender: str = ""
    recipients: tuple[str, ...] = ()
    evidence: Literal["names", "text", "counts"] = "names"
    digest: Literal["weekly", "nightly"] = "weekly"

    @model_validator(mode="after")
    def _complete(self) -> MailSettings:
        if self.host and not self.sender:
            raise ValueError("a mail host needs a sender")
        return self


class LimitSettings(_Table):
    """What one document may cost."""

    parse_seconds: float = Field(default=120, gt=0)
    parse_memory_mb: int = Field(default=2048, ge=256)
    stream_mb: int = Field(default=64, ge=1)
    file_mb: int = Field(default=1024, ge=1)
    workers: int = Field(default=0, ge=0)


class _Toml(PydanticBaseSettingsSource):
    def __init__(self, settings_cls: type[BaseSettings], data: dict[str, Any]) -> None:
        super().__init__(settings_cls)
        self._data = data

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        return self._data.get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        return self._data


class Settings(BaseSettings):
    """Everything saero.toml says. `file` is its path; relative paths in it are relative to its folder."""

    model_config = SettingsConfigDict(
        extra="forbid",
        frozen=True,
        env_prefix="SAERO_",
        env_nested_delimiter="__",
        nested_model_default_partial_update=True,
    )

    file: Path
    state: Path = Path(".saero")
    language: Literal["ko", "en"] = "ko"
    sources: dict[str, Source] = Field(default_factory=dict)
    roots: dict[str, Root] = Field(default_factory=dict)
    canaries: tuple[CanarySettings, ...] = ()
    encoder: EncoderSettings = EncoderSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    mail: MailSettings = MailSettings()
    limits: LimitSettings = LimitSettings()

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
        return env_settings, init_settings

    @property
    def folder(self) -> Path:
        """The folder that relative paths start from."""
        return self.file.parent

    @property
    def state_dir(self) -> Path:
        """The absolute state folder."""
        return self.folder / self.state

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
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise SettingsError(f"{file}: no such settings file; `saero init FOLDER...` writes one") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: not readable as TOML: {error}") from error
    except OSError as error:
        raise SettingsError(f"{file}: can't be read: {error.strerror}") from error
    _refuse_secrets(data, file)
    try:
        settings = Settings(**{**_composed(data), "file": file})
    except ValidationError as error:
        raise SettingsError(_explain(error, file)) from error
    return settings


def _composed(data: dict[str, Any]) -> dict[str, Any]:
    """NFC names for sources and roots, whatever editor wrote them."""
    for key in ("sources", "roots"):
        if isinstance(data.get(key), dict):
            data[key] = {unicodedata.normalize("NFC", name): value for name, value in data[key].items()}
    return data


def _refuse_secrets(data: dict[str, Any], file: Path) -> None:
    mail = data.get("mail")
    if isinstance(mail, dict) and "password" in mail:
        raise SettingsError(f"{file}: mail.password: secrets don't belong in a file; set SAERO_MAIL__PASSWORD instead")


def _explain(error: ValidationError, file: Path) -> str:
    lines = []
    for item in error.errors(include_url=False, include_input=False):
        key = ".".join(str(part) for part in item["loc"])
        said = "unknown key" if item["type"] == "extra_forbidden" else item["msg"].removeprefix("Value error, ")
        lines.append(f"{file}: {key or 'settings'}: {said}")
    return "\n".join(lines)
