"""The commands of an operator on a real database file, and the server and the pipe as processes."""

import ast
import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
import zipfile
from contextlib import contextmanager
from functools import partial

import pytest

import bazi_core as bz
from bazi_cli import operator
from bazi_hub.stdio.bundle import bundled
from bazi_hub.tools.catalog import CATALOG
from tests.hub.databases import empty_file
from tests.waiting import eventually_there

__all__ = ["empty_file"]
KEY = re.compile(r"bz[pa]_[0-9A-Za-z]{46}")
READY_S = 30
TYPED_ID = "00000000-0000-4000-8000-0000000000aa"


@pytest.fixture
def hub(bazi, tmp_path, empty_file):
    """`bazi` on the database of a hub that was tried out."""
    from bazi_hub.operate.app import dev_secrets, with_database
    from bazi_hub.operate.config import configured
    from bazi_hub.words.system import SystemIds

    path = shutil.copy(empty_file, str(tmp_path / "hub.sqlite3"))
    dev_secrets(with_database(configured({}), path), SystemIds())

    def run(*arguments):
        return bazi.json(*arguments, "--db", path)

    run.path, run.bazi = path, bazi
    return run


@pytest.fixture
def account(hub):
    return hub("hub", "account", "create", "--email", "a@b.example", "--credits", "30")["id"]


def test_an_account_its_keys_and_its_credits(hub, account):
    issued = hub("keys", "issue", account, "--flavor", "agent", "--agent-name", "Oracle")
    assert KEY.fullmatch(issued["key"])
    assert [key["id"] for key in hub("keys", "list", "a@b.example")] == [issued["id"]]
    assert hub("keys", "revoke", issued["id"]) == {"id": issued["id"], "revoked": True}
    assert hub("credits", "grant", account, "5", "--ref", "1")["balance"] == 35
    assert hub("credits", "grant", account, "5", "--ref", "1")["balance"] == 35
    assert hub("credits", "adjust", account, "-10", "--memo", "mistake")["balance"] == 25
    assert [line["amount"] for line in hub("credits", "history", account)] == [30, 5, -10]
    assert hub("credits", "show", account)["available"] == 25


@pytest.mark.parametrize(
    "address", ["mysql://x/y", "http://x", "sqlite://hub.db", "postgres+x://a:secret@b/c"]
)
def test_an_address_of_no_known_database_is_refused_and_no_file_made(bazi, tmp_path, monkeypatch, address):
    monkeypatch.chdir(tmp_path)
    for command in (("hub", "migrate"), ("keys", "list", "x"), ("serve", "--port", "0")):
        result = bazi(*command, "--db", address)
        assert result.exit_code == 2, result.output
        assert "neither postgresql://" in result.stderr
        assert "secret" not in result.stderr
    assert os.listdir(tmp_path) == []


def test_names_of_accounts_cannot_draw_on_the_terminal_or_add_rows(hub):
    hub("hub", "account", "create", "--name", "\x1b[31mred\nroot  0\u202e")
    text = hub.bazi.text("hub", "account", "list", "--db", hub.path)
    assert all(line.isprintable() for line in text.split("\n"))
    assert len(text.splitlines()) == 2
    shown = hub.bazi.text("hub", "account", "create", "--name", "\x1b[31mred\nroot", "--db", hub.path)
    assert len(shown.splitlines()) == 10


def test_an_empty_password_makes_no_account_without_one(hub):
    result = hub.bazi("hub", "account", "create", "--email", "a@b.example", "--password", "--db", hub.path)
    assert (result.exit_code, "密码须有 10 至 1024 个字符" in result.stderr) == (4, True)
    assert hub("hub", "account", "list") == []


@pytest.mark.parametrize(
    "act",
    [
        ("keys", "list", "x"), ("keys", "issue", "x"), ("keys", "revoke", "x"), ("credits", "show", "x"),
        ("credits", "grant", "x", "5"), ("credits", "refund", "x"), ("hub", "account", "suspend", "x"),
        ("hub", "hide", "post", "x", "--reason", "y"), ("hub", "verify"),
    ],
)  # fmt: skip
def test_an_act_on_what_must_be_there_makes_no_database(bazi, tmp_path, act):
    result = bazi(*act, "--db", str(tmp_path / "typo" / "hub.sqlite3"), LANG="en_GB")
    assert (result.exit_code, "there is no database" in result.stderr) == (2, True), result.output
    assert not (tmp_path / "typo").exists()


def test_prices_are_listed_changed_and_switched(hub):
    assert {row["tool"] for row in hub("price", "list")} >= {"bazi_basic_analysis", "divination_run"}
    assert hub("price", "set", "bazi_pattern_analysis", "--cost", "7")["min_balance"] == 7
    assert hub("price", "disable", "bazi_pattern_analysis")["enabled"] is False
    assert hub("price", "enable", "bazi_pattern_analysis")["version"] == 4


def test_an_account_is_suspended_resumed_and_erased(hub, account):
    assert hub("hub", "account", "suspend", account)["status"] == "suspended"
    assert hub("hub", "account", "resume", account)["status"] == "active"
    assert hub("hub", "account", "erase", account, "--yes")["status"] == "erased"
    assert "a@b.example" not in json.dumps(hub("hub", "account", "list"))


def test_what_is_refused_is_one_sentence_and_status_four(hub, account):
    for arguments in (
        ("keys", "list", "nobody"),
        ("credits", "adjust", account, "-31", "--memo", "too much"),
        ("price", "set", "nothing", "--cost", "1"),
        ("hub", "hide", "post", "00000000-0000-4000-8000-000000000000", "--reason", "spam"),
    ):
        result = hub.bazi(*arguments, "--db", hub.path)
        assert result.exit_code == 4, arguments
        assert "Traceback" not in result.stderr


def test_what_is_refused_is_told_in_the_language_of_the_reader(hub, account):
    result = hub.bazi("keys", "list", "nobody", "--db", hub.path, LANG="zh_TW.UTF-8")
    assert "沒有帳戶 nobody" in result.stderr


def test_a_text_answer_is_lines_that_people_read(hub, account):
    text = hub.bazi.text("credits", "show", account, "--db", hub.path)
    assert re.search(r"^balance +30$", text, re.MULTILINE)
    table = hub.bazi.text("price", "list", "--db", hub.path).splitlines()
    assert table[0].split()[:2] == ["tool", "credit_cost"]


def test_the_books_are_verified_exported_and_restored(hub, account, tmp_path):
    assert "right" in hub.bazi.text("hub", "verify", "--db", hub.path)
    assert json.loads(hub.bazi.text("hub", "verify", "--json", "--db", hub.path)) == []
    folder, other = str(tmp_path / "out"), str(tmp_path / "other.sqlite3")
    told = hub.bazi("hub", "export", folder, "--db", hub.path).stderr
    assert "rows" in told
    assert "password hashes, births and readings: its files are readable by you alone" in told
    assert hub.bazi("hub", "import", folder, "--db", other).exit_code == 0
    assert hub.bazi.json("credits", "show", account, "--db", other)["balance"] == 30
    again = hub.bazi("hub", "import", folder, "--db", other)
    assert (again.exit_code, "Traceback" in again.stderr) == (4, False)


def test_an_export_of_a_newer_release_is_refused_with_its_code(hub, account, tmp_path):
    folder = tmp_path / "export"
    assert hub.bazi("hub", "export", str(folder), "--db", hub.path).exit_code == 0
    manifest = folder / "manifest.json"
    manifest.write_text(re.sub(r'"schema": "\d+"', '"schema": "9999"', manifest.read_text("utf-8")), "utf-8")
    other = str(tmp_path / "other.db")
    refused = hub.bazi("hub", "import", str(folder), "--db", other, "--lang", "en")
    assert refused.exit_code == 4
    assert refused.stderr.startswith(
        "Error NEWER_SCHEMA  made by a newer release\n  this is an export of version 9999"
    )
    assert "pip install --upgrade" in refused.stderr


def test_books_that_are_wrong_end_with_one(hub, account):
    import sqlite3

    with sqlite3.connect(hub.path) as db:
        db.execute("UPDATE accounts SET posted = posted + 1")
    result = hub.bazi("hub", "verify", "--db", hub.path)
    assert result.exit_code == 1
    assert "I1" in result.stdout


def test_a_key_needs_the_secret_of_the_hub(bazi, tmp_path):
    path = str(tmp_path / "fresh.sqlite3")
    account = bazi.json("hub", "account", "create", "--db", path)["id"]
    result = bazi("keys", "issue", account, "--db", path)
    assert (result.exit_code, "BAZI_HUB_KEY_PEPPER" in result.stderr) == (2, True)


def test_an_unknown_setting_is_a_usage_error_that_names_it(bazi, tmp_path):
    for arguments in (("serve",), ("price", "list")):
        result = bazi(*arguments, "--db", str(tmp_path / "x.sqlite3"), BAZI_HUB_PEPER="x")
        assert (result.exit_code, "BAZI_HUB_PEPER" in result.stderr) == (2, True)


def test_without_secrets_a_server_refuses_to_start_and_says_what_is_missing(bazi, tmp_path):
    result = bazi("serve", "--db", str(tmp_path / "x.sqlite3"))
    assert result.exit_code == 2
    assert "BAZI_HUB_KEY_PEPPER and BAZI_HUB_SESSION_SECRET" in result.stderr


def test_a_port_that_is_taken_is_said_before_a_key_is_made(bazi, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = bazi("serve", "--dev", "--port", str(port), "--db", str(tmp_path / "hub.sqlite3"))
    assert result.exit_code == 2
    assert f"cannot listen on 127.0.0.1 port {port}" in result.stderr
    assert KEY.search(result.stderr) is None


@pytest.mark.parametrize(
    ("module", "extra", "command", "settings"),
    [
        ("psycopg", "postgres", ("hub", "verify", "--db", "postgresql://a@localhost/a"), {}),
        ("psycopg", "postgres", ("serve", "--workers", "2", "--db", "postgresql://a@localhost/a"), {}),
        ("jwt", "supabase", ("serve", "--dev", "--port", "0"), {"BAZI_HUB_SUPABASE_COOKIE": "sb"}),
        ("httpx", "llm", ("mcp", "--url", "http://localhost:1"), {"BAZI_API_KEY": "bzp_1"}),
    ],
)
def test_an_extra_that_is_missing_is_named(bazi, monkeypatch, module, extra, command, settings):
    monkeypatch.setitem(sys.modules, module, None)
    result = bazi(*command, **settings, LANG="en_GB")
    assert result.exit_code == 2
    assert f"this needs {module}: pip install 'bazi-core[{extra}]'" in result.stderr


def test_a_database_that_cannot_be_reached_is_no_bug(bazi):
    result = bazi("hub", "verify", "--db", "postgresql://a@localhost:1/a")
    assert (result.exit_code, "onnection refused" in result.stderr) == (4, True)
    assert "\ufffd" not in result.stderr


def test_several_workers_need_postgresql(hub):
    result = hub.bazi("serve", "--dev", "--workers", "2", "--db", hub.path)
    assert (result.exit_code, "PostgreSQL" in result.stderr) == (2, True)


@pytest.mark.parametrize("client", ["claude", "cursor", "cline", "vscode", "coze"])
@pytest.mark.parametrize("url", [None, "https://hub.example/"])
def test_a_client_is_told_in_json(bazi, client, url):
    told = json.loads(bazi.text("mcp", "config", client, *(("--url", url) if url else ())))
    assert told
    assert ("hub.example/api/mcp" in json.dumps(told)) == (url is not None and client != "coze")


@pytest.mark.process
def test_a_client_that_is_told_no_address_starts_this_program(bazi):
    told = json.loads(bazi.text("mcp", "config", "claude"))["mcpServers"]["bazi"]
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}) + "\n"
    run = subprocess.run(
        [told["command"], *told["args"]], input=line, capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout) == {"jsonrpc": "2.0", "id": 1, "result": {}}


@pytest.mark.parametrize(
    ("client", "file"),
    [("claude", ".mcp.json"), ("cursor", "~/.cursor/mcp.json"), ("vscode", ".vscode/mcp.json")],
)
def test_the_file_of_a_client_is_named_beside_its_configuration(bazi, client, file):
    result = bazi("mcp", "config", client)
    assert file in result.stderr
    assert json.loads(result.stdout)


def test_a_bundle_starts_this_version_and_names_every_tool(bazi, tmp_path):
    path = tmp_path / "bazi.mcpb"
    assert bazi("mcp", "bundle", str(path)).exit_code == 0
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        assert manifest["server"]["entry_point"] in archive.namelist()
        compile(archive.read("server.py"), "server.py", "exec")
        assert f"bazi-core=={bz.__version__}" in archive.read("pyproject.toml").decode()
    assert [tool["name"] for tool in manifest["tools"]] == list(CATALOG)
    assert path.read_bytes() == bundled()


def test_langchain_is_told_in_python(bazi):
    snippet = compile(
        bazi.text("mcp", "config", "langchain"), "snippet", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    )
    assert "MultiServerMCPClient" in snippet.co_names


def test_a_bridge_needs_a_key(bazi):
    result = bazi("mcp", "--url", "https://hub.example")
    assert (result.exit_code, "BAZI_API_KEY" in result.stderr) == (2, True)


# --- as processes


def environment(tmp_path):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BAZI_")}
    return {**kept, "XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "NO_COLOR": "1"}


@contextmanager
def serving(tmp_path, *arguments):
    """A server process that answers: its process, its address, and where its notes go."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    notes = tmp_path / f"notes-{port}"
    command = [sys.executable, "-m", "bazi_cli", "serve", "--dev", "--port", str(port), *arguments]
    with notes.open("wb") as stream:
        process = subprocess.Popen(command, stderr=stream, env=environment(tmp_path), start_new_session=True)
    address = f"http://127.0.0.1:{port}"
    try:
        eventually_there(lambda: process.poll() is not None or answers(f"{address}/readyz"), READY_S)
        assert process.poll() is None, notes.read_text("utf-8")
        yield process, address, notes
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def asked(address, tool, key, arguments=None):
    request = urllib.request.Request(
        f"{address}/api/universal/{tool}", json.dumps(arguments or {}).encode(), {"x-api-key": key}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


@pytest.mark.process
def test_a_server_that_is_tried_out_needs_nothing_and_prints_its_key_once(tmp_path):
    with serving(tmp_path) as (process, address, notes):
        [key] = set(KEY.findall(notes.read_text("utf-8")))
        assert asked(address, "meta/get_user_credits", key)["data"]["balance"] == 10_000
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    with serving(tmp_path) as (process, address, notes):
        assert KEY.findall(notes.read_text("utf-8")) == []
        assert asked(address, "meta/get_user_credits", key)["success"] is True
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


@pytest.mark.process
def test_the_pipe_ends_quietly_when_interrupted():
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    # A shell starts what it puts into the background without interruptions; Python leaves it at that.
    heard = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    command = [sys.executable, "-m", "bazi_cli", "mcp"]
    with subprocess.Popen(command, **pipes, preexec_fn=heard) as process:
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["result"] == {}
        process.send_signal(signal.SIGINT)
        # The pipe is still open: its reader is what an interruption must not wait for.
        assert (process.wait(20), process.stderr.read().strip()) == (130, b"")


@pytest.mark.process
def test_a_server_says_where_it_serves_and_when_it_has_stopped(tmp_path):
    with serving(tmp_path) as (process, address, notes):
        process.send_signal(signal.SIGTERM)
        assert process.wait(READY_S) == 0
    events = [json.loads(line) for line in notes.read_text("utf-8").splitlines() if line.startswith("{")]
    assert [each["event"] for each in events] == ["serving", "stopped"]
    assert events[0]["detail"] == address.replace("127.0.0.1", "localhost")


@pytest.mark.process
def test_commands_reach_the_server_that_holds_the_database(bazi, tmp_path):
    path = str(tmp_path / "hub.sqlite3")
    with serving(tmp_path, "--db", path) as (_, address, notes):
        key = KEY.findall(notes.read_text("utf-8"))[0]
        [account] = bazi.json("hub", "account", "list", "--db", path)
        assert bazi.json("credits", "grant", account["id"], "5", "--db", path)["balance"] == 10_005
        assert asked(address, "meta/get_user_credits", key)["data"]["balance"] == 10_005
        assert "right" in bazi.text("hub", "verify", "--db", path)
        assert bazi.json("keys", "revoke", key, "--db", path)["revoked"] is True
        with pytest.raises(urllib.error.HTTPError, match="401"):
            asked(address, "meta/get_user_credits", key)
        second = bazi("serve", "--dev", "--port", "0", "--db", path)
        assert (second.exit_code, "another process" in second.stderr) == (4, True)


def test_the_pipe_carries_the_protocol_and_nothing_else(tmp_path):
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "get_user_credits"}},
    ]
    asked_for = "".join(json.dumps(line) + "\n" for line in lines)
    process = subprocess.run(
        [sys.executable, "-m", "bazi_cli", "mcp"],
        input=asked_for, capture_output=True, text=True, timeout=60, env=environment(tmp_path), check=True,
    )  # fmt: skip
    told = {answer["id"]: answer for answer in map(json.loads, process.stdout.splitlines())}
    assert told.keys() == {1, 2}
    assert json.loads(told[2]["result"]["content"][0]["text"])["balance"] == 0


@pytest.mark.process
def test_what_is_done_over_the_pipe_is_kept_where_that_is_asked_for(tmp_path):
    path = str(tmp_path / "own.sqlite3")

    def call(name, arguments):
        line = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        process = subprocess.run(
            [sys.executable, "-m", "bazi_cli", "mcp", "--db", path],
            input=json.dumps(line) + "\n", capture_output=True, text=True, timeout=60,
            env=environment(tmp_path), check=True,
        )  # fmt: skip
        return json.loads(json.loads(process.stdout)["result"]["content"][0]["text"])

    call("forum_create_post", {"title": "t", "content": "c"})
    assert [post["title"] for post in call("forum_list_posts", {})["posts"]] == ["t"]


@pytest.fixture
def typed(hub):
    """An account whose e-mail somebody typed who signed up, and whose credits are known."""
    from bazi_hub.operate.app import compose, dev_secrets, with_database
    from bazi_hub.operate.config import configured
    from bazi_hub.ports import Account
    from bazi_hub.words.system import SystemIds

    async def sign_up():
        config = with_database(configured({}), hub.path)
        composed = compose(config, secrets=dev_secrets(config, SystemIds()))
        await composed.hub.start()
        account = Account(TYPED_ID, "typed@b.example", None, "active", None, 1)
        # Whoever signs up is the actor of his own account.
        await composed.hub.storage.accounts.create(account, 7, account.id)
        await composed.close()

    asyncio.run(sign_up())
    return "typed@b.example"


def grant(hub, account, *more, answer="", terminal=True, monkeypatch=None):
    """What comes of a grant, by a person at a terminal who answers so, or by a program."""
    monkeypatch.setattr(operator, "_at_a_terminal", lambda: terminal)
    return hub.bazi("credits", "grant", account, "5", *more, "--db", hub.path, input=answer)


@pytest.mark.parametrize(
    ("answer", "status", "balance"), [("y\n", 0, 12), ("n\n", 130, 7), ("\n", 130, 7), ("", 130, 7)]
)
def test_a_grant_to_an_e_mail_that_nobody_checked_asks_whoever_sits_at_the_terminal(
    hub, typed, monkeypatch, answer, status, balance
):
    result = grant(hub, typed, answer=answer, monkeypatch=monkeypatch)
    assert (result.exit_code, "nobody has checked whose it is. Go on?" in result.stderr) == (status, True)
    assert hub("credits", "show", typed)["balance"] == balance


def test_a_program_is_refused_such_a_grant_unless_it_says_yes(hub, typed, monkeypatch):
    refused = grant(hub, typed, terminal=False, monkeypatch=monkeypatch)
    assert (refused.exit_code, "Traceback" in refused.output) == (4, False)
    assert hub("credits", "show", typed)["balance"] == 7
    assert grant(hub, typed, "--yes", terminal=False, monkeypatch=monkeypatch).exit_code == 0
    assert grant(hub, typed, "--yes", monkeypatch=monkeypatch).exit_code == 0
    assert hub("credits", "show", typed)["balance"] == 17


def test_an_account_by_its_id_or_with_an_e_mail_that_the_operator_gave_is_not_asked_about(
    hub, account, typed, monkeypatch
):
    for named in (account, "a@b.example", TYPED_ID):
        result = grant(hub, named, monkeypatch=monkeypatch)
        assert (result.exit_code, "Go on?" in result.stderr) == (0, False)
