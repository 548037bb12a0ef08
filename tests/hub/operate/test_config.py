"""The environment of a hub: what is unknown or wrong is said by name, and no secret ever is."""

import base64
import os
import stat
from dataclasses import fields
from types import SimpleNamespace

import pytest

from bazi_hub.operate.app import dev_secrets, kept_secrets, reader_of, secrets_of, with_database
from bazi_hub.operate.config import NAMES, PREFIX, Config, configured
from bazi_hub.operate.serving import _warn_of_file
from bazi_hub.words.errors import ConfigurationError
from bazi_hub.words.settings import Settings
from bazi_hub.words.system import SystemIds
from tests.hub.worlds import Voices

SECRET = base64.b64encode(bytes(range(32))).decode()


def test_without_an_environment_everything_has_its_default():
    settings = configured({}).settings()
    assert settings == Settings(signup="open")


def test_every_setting_of_the_hub_comes_from_one_of_the_environment():
    given = {
        "PUBLIC_URL": "https://hub.example", "ALLOWED_HOSTS": "a.example, b.example", "MCP_LIST_AUTH": "required",
        "STARTER_CREDITS": "3", "TOPUP_URL": "https://pay.example", "UNCHARGED_READINGS": "5", "REPLAY": "off",
        "RESULT_TTL": "2h", "RUN_LOG_TTL": "1d", "LLM_FALLBACK": "narrator", "LLM_MAX_CONCURRENCY": "2",
        "LLM_DEADLINE_T4": "30", "DRAIN_SECONDS": "5", "BODY_LIMIT": "100000", "SIGNUP": "closed",
    }  # fmt: skip
    settings = configured({PREFIX + name: value for name, value in given.items()}).settings()
    assert (settings.allowed_hosts, settings.result_ttl_s, settings.run_log_ttl_s) == (
        ("a.example", "b.example"),
        7200,
        86_400,
    )
    assert (settings.replay, settings.llm_deadline_t4_s, settings.signup) == ("off", 30, "closed")


def test_every_setting_but_the_memory_of_keys_has_a_variable():
    assert [each.name for each in fields(Settings) if each.name not in NAMES] == ["key_cache_s"]
    assert {*NAMES.values()} <= {*Config.model_fields}


def test_an_unknown_name_is_an_error_and_says_which():
    with pytest.raises(ConfigurationError, match="BAZI_HUB_PEPER"):
        configured({"BAZI_HUB_PEPER": "x"})


@pytest.mark.parametrize(
    ("name", "value"),
    [("REPLAY", "sometimes"), ("BODY_LIMIT", "many"), ("RESULT_TTL", "-1"), ("LLM_MAX_CONCURRENCY", "0")],
)
def test_a_wrong_value_is_an_error_that_names_its_setting(name, value):
    with pytest.raises(ConfigurationError, match=PREFIX + name):
        configured({PREFIX + name: value})


def test_signing_up_is_by_invitation_where_a_model_reads():
    assert configured({"BAZI_HUB_READER": "openai"}).settings().signup == "invite"
    assert configured({"BAZI_HUB_READER": "openai", "BAZI_HUB_SIGNUP": "open"}).settings().signup == "open"


def test_missing_secrets_are_a_refusal_that_says_what_to_do():
    with pytest.raises(ConfigurationError, match=r"BAZI_HUB_KEY_PEPPER and BAZI_HUB_SESSION_SECRET.*openssl"):
        secrets_of(configured({}))


@pytest.mark.parametrize("text", ["short", base64.b64encode(bytes(31)).decode(), "not base64!" * 8])
def test_a_secret_is_thirty_two_bytes_in_base64_and_is_never_repeated(text):
    with pytest.raises(ConfigurationError, match="BAZI_HUB_KEY_PEPPER") as raised:
        secrets_of(configured({"BAZI_HUB_KEY_PEPPER": text, "BAZI_HUB_SESSION_SECRET": SECRET}))
    assert text not in str(raised.value)


def test_no_secret_is_printed():
    config = configured(
        {f"BAZI_HUB_{name}": SECRET for name in ("KEY_PEPPER", "SESSION_SECRET", "LLM_API_KEY")}
    )
    for shown in (repr(config), str(config), repr(secrets_of(config)), config.model_dump_json()):
        assert SECRET not in shown
        assert "\\x01\\x02" not in shown


def test_the_secrets_of_a_trial_are_made_once_and_only_their_owner_reads_them(tmp_path):
    config = with_database(configured({}), str(tmp_path / "hub.sqlite3"))
    assert kept_secrets(config) is None
    made = dev_secrets(config, SystemIds())
    assert dev_secrets(config, SystemIds()) == made == kept_secrets(config)
    for name in ("key_pepper", "session_secret"):
        assert stat.S_IMODE(os.stat(tmp_path / name).st_mode) == 0o600


def trial(tmp_path):
    """The configuration of a trial whose secrets were made, and the file of one."""
    config = with_database(configured({}), str(tmp_path / "hub.sqlite3"))
    dev_secrets(config, SystemIds())
    return config, tmp_path / "key_pepper"


def refused(config):
    """What is said at the start, by either way to the secrets."""
    said = []
    for work in (lambda: dev_secrets(config, SystemIds()), lambda: kept_secrets(config)):
        with pytest.raises(ConfigurationError) as raised:
            work()
        said.append(str(raised.value))
    assert said[0] == said[1]
    return said[0]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o644, 0o660, 0o777])
def test_a_secret_that_others_may_read_or_write_is_refused_and_the_way_out_said(tmp_path, mode):
    config, file = trial(tmp_path)
    file.chmod(mode)
    assert refused(config) == f"{file} may be read or written by others (mode {mode:o}): chmod 600"
    file.chmod(0o600)
    assert kept_secrets(config) == dev_secrets(config, SystemIds())


@pytest.mark.parametrize("size", [0, 1, 31])
def test_a_kept_secret_that_is_too_short_is_refused(tmp_path, size):
    config, file = trial(tmp_path)
    file.write_bytes(bytes(size))
    assert f"{file} holds {size} bytes" in refused(config)


def test_a_kept_secret_is_a_file_of_its_own_and_no_link_to_one(tmp_path):
    config, file = trial(tmp_path)
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert refused(config) == f"{file} is a symbolic link: put the file itself there"
    file.unlink()
    os.mkfifo(file, 0o600)
    assert refused(config) == f"{file} is no file"


def test_a_kept_secret_of_another_user_is_refused(tmp_path, monkeypatch):
    config, file = trial(tmp_path)
    monkeypatch.setattr("bazi_hub.words.private_files.os.geteuid", lambda: file.stat().st_uid + 1)
    assert refused(config).startswith(f"{file} belongs to another user (uid {file.stat().st_uid})")


@pytest.mark.parametrize(("mode", "warned"), [(0o600, 0), (0o644, 1), (0o660, 1)])
def test_a_database_that_others_may_read_is_served_with_a_warning(tmp_path, mode, warned):
    file = tmp_path / "hub.sqlite3"
    file.touch()
    file.chmod(mode)
    voices = Voices()
    _warn_of_file(SimpleNamespace(config=with_database(configured({}), str(file)), telemetry=voices))
    told = [
        (line["event"], line["level"], line["detail"].startswith(f"{file} may be")) for line in voices.logged
    ]
    assert told == [("database_exposed", "warning", True)] * warned


def test_a_stated_secret_is_used_before_a_file(tmp_path):
    stated = {"BAZI_HUB_KEY_PEPPER": SECRET, "BAZI_HUB_SESSION_SECRET": SECRET}
    config = with_database(configured(stated), str(tmp_path / "hub.sqlite3"))
    assert dev_secrets(config, SystemIds()) == secrets_of(config)
    assert list(tmp_path.iterdir()) == []


def test_the_narrator_is_no_reader_and_an_unknown_one_is_an_error():
    assert reader_of(configured({})) is None
    with pytest.raises(ConfigurationError, match="oracle"):
        reader_of(configured({"BAZI_HUB_READER": "oracle"}))


def test_a_reader_without_its_settings_is_not_configured():
    assert reader_of(configured({"BAZI_HUB_READER": "openai"})).configured is False
    ready = {
        "BAZI_HUB_READER": "openai",
        "BAZI_HUB_LLM_BASE_URL": "http://localhost:1/v1",
        "BAZI_HUB_LLM_MODEL": "m",
    }
    assert reader_of(configured(ready)).model == "m"


def test_every_field_is_described():
    for field in Config.model_fields.values():
        assert field.description
        assert field.json_schema_extra["zh-Hans"] != field.description


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PUBLIC_URL", "hub.example"),
        ("PUBLIC_URL", "ftp://hub.example"),
        ("PUBLIC_URL", "https://"),
        ("PUBLIC_URL", "https://you:secret@hub.example"),
        ("PUBLIC_URL", "https://hub.example:x"),
        ("ALLOWED_HOSTS", "*"),
        ("ALLOWED_HOSTS", "hub.example,https://hub.example"),
        ("ALLOWED_ORIGINS", "hub.example"),
        ("CORS_ORIGINS", "*"),
        ("CORS_ORIGINS", "https://a.example,null"),
        ("CORS_ORIGINS", "https://a.example/page"),
        ("TRUSTED_PROXIES", "nginx"),
        ("TRUSTED_PROXIES", "10.0.0.0/99"),
        ("TOPUP_URL", "javascript:alert(1)"),
        ("LLM_BASE_URL", "localhost:11434"),
        ("DATABASE_URL", "mysql://you:secret@db/hub"),
    ],
)
def test_a_value_that_would_be_passed_over_in_silence_is_refused(name, value):
    with pytest.raises(ConfigurationError, match=f"BAZI_HUB_{name}") as refused:
        configured({f"BAZI_HUB_{name}": value})
    assert "secret" not in str(refused.value)


def test_what_an_operator_writes_is_taken():
    told = {
        "PUBLIC_URL": "https://hub.example:8443/bazi",
        "ALLOWED_HOSTS": "hub.example, [::1]:8000,八字.example,localhost:1",
        "CORS_ORIGINS": "https://a.example,http://localhost:5173/",
        "TRUSTED_PROXIES": "127.0.0.1,10.0.0.0/8,fd00::/8,10.1.2.3/8",
        "LLM_BASE_URL": "http://127.0.0.1:11434/v1",
        "DATABASE_URL": "postgresql://you@db/hub",
    }
    assert configured({f"BAZI_HUB_{name}": value for name, value in told.items()}).cors_origins == (
        "https://a.example", "http://localhost:5173/",
    )  # fmt: skip
    for path in ("hub.sqlite3", "sqlite:////var/lib/hub.sqlite3", "postgres://db/hub"):
        configured({"BAZI_HUB_DATABASE_URL": path})
