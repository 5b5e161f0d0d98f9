"""The page opened and closed as a whole, by real sockets and by a real command with signals."""

from __future__ import annotations

import contextlib
import io
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.errors import WrongUsage
from referee.service import front as the_front
from referee.service import serving as the_serving
from referee.service.certificate import certificate
from referee.service.front import Limits
from referee.service.serving import Opening, Serving, draw, greeting, listeners
from tests.service.doors import asked, client_tls, get, rest

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

HOME = ip_address("192.168.1.5")


def hello(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    if environ["PATH_INFO"] == "/slow":
        time.sleep(0.7)
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"hello {environ['REMOTE_ADDR']}".encode()]


@contextlib.contextmanager
def opened(opening: Opening) -> Iterator[Serving]:
    serving = Serving(hello, opening)
    serving.start()
    try:
        yield serving
    finally:
        serving.stop()


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every visitor comes from another machine."""
    monkeypatch.setattr(the_front, "_ends", lambda _: ("192.168.1.20", 50000, False))


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(the_serving, "addresses", lambda: (HOME,))


def at(serving: Serving) -> tuple[str, int]:
    return "127.0.0.1", serving.opening.port


def test_a_page_for_this_machine_is_open_at_both_of_its_addresses(tmp_path: Path) -> None:
    with opened(Opening(tmp_path, port=0)) as serving:
        assert asked(at(serving), get("/")).endswith(b"hello 127.0.0.1")
        assert asked(("::1", serving.opening.port), get("/", host="[::1]")).endswith(b"hello ::1")
        assert serving.here() == f"http://localhost:{serving.opening.port}"
        assert serving.elsewhere() == ()
        assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("elsewhere")
def test_a_phone_joins_over_https_with_the_code_and_then_its_cookie(tmp_path: Path) -> None:
    with opened(Opening(tmp_path, host="0.0.0.0", port=0, https=True)) as serving:
        tls = client_tls()
        assert b'name="code"' in asked(at(serving), get("/", "Accept: text/html"), tls)
        assert serving.invitation is not None
        form = f"code={serving.invitation.code.replace(' ', '+')}&next=/races".encode()
        sent = f"POST /join HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(form)}\r\n\r\n"
        answer = asked(at(serving), sent.encode() + form, tls).decode()
        assert answer.startswith("HTTP/1.1 303 See Other")
        cookie = answer.split("Set-Cookie: ")[1].split(";")[0]
        assert asked(at(serving), get("/", f"Cookie: {cookie}"), tls).endswith(b"hello 192.168.1.20")


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    "forged", ["X-Forwarded-For: 127.0.0.1", "X-Real-IP: ::1", "Forwarded: for=127.0.0.1", "Referee.Here: True"]
)
def test_no_header_makes_a_phone_local(tmp_path: Path, forged: str) -> None:
    with opened(Opening(tmp_path, host="0.0.0.0", port=0)) as serving:
        assert b"hello" not in asked(at(serving), get("/", forged))


def test_a_proxy_on_this_machine_brings_in_nobody_without_a_code(tmp_path: Path) -> None:
    with opened(Opening(tmp_path, host="0.0.0.0", port=0)) as serving:
        assert b"hello" in asked(at(serving), get("/"))
        assert b"hello" not in asked(at(serving), get("/", "X-Forwarded-For: 203.0.113.7"))


def test_a_rebound_name_is_refused(tmp_path: Path) -> None:
    with opened(Opening(tmp_path, port=0, hosts=("referee.example",))) as serving:
        assert asked(at(serving), get("/", host="evil.example")).startswith(b"HTTP/1.1 403")
        assert asked(at(serving), get("/", host="referee.example")).startswith(b"HTTP/1.1 200")


def test_a_taken_port_is_said_in_one_line_with_a_cure(tmp_path: Path) -> None:
    with opened(Opening(tmp_path, port=0)) as serving:
        with pytest.raises(WrongUsage) as told:
            Serving(hello, Opening(tmp_path, port=serving.opening.port))
        assert told.value.message == f"Port {serving.opening.port} is taken."
        assert f"--port {serving.opening.port + 1}" in told.value.hint
        assert b"hello" in asked(at(serving), get("/")), "the first goes on"


def test_a_port_that_another_holds_on_ipv6_alone_is_taken_too() -> None:
    taken = pytest.raises(WrongUsage, match="is taken")
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as other, taken:
        listeners("127.0.0.1", other.getsockname()[1])


def test_a_machine_without_ipv6_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.create_server

    def without(address: tuple[str, int], **kind: Any) -> socket.socket:
        if kind["family"] == socket.AF_INET6:
            raise OSError(97, "Address family not supported by protocol")
        return real(address, **kind)

    monkeypatch.setattr(socket, "create_server", without)
    (only,) = listeners("0.0.0.0", 0)
    only.close()


@pytest.mark.parametrize("host", ["192.0.2.77", "198.51.100.3"])
def test_an_address_of_another_machine_is_said_with_a_cure(host: str) -> None:
    with pytest.raises(WrongUsage, match=r"has no address .*0\.0\.0\.0"):
        listeners(host, 0)


@pytest.mark.parametrize("host", ["", "my laptop", "192.168.1", "0.0.0.0/0"])
def test_a_host_that_is_no_address_is_refused_at_once(tmp_path: Path, host: str) -> None:
    with pytest.raises(WrongUsage, match="no address to open"):
        Opening(tmp_path, host=host)


def test_a_setting_that_fails_leaves_no_port_open(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="join code"):
        Serving(hello, Opening(tmp_path, host="0.0.0.0", port=0, join_code="123"))


def test_an_answer_under_way_is_finished_when_the_page_closes(tmp_path: Path) -> None:
    got: list[bytes] = []
    with opened(Opening(tmp_path, port=0)) as serving:
        asking = threading.Thread(target=lambda: got.append(asked(at(serving), get("/slow"))))
        asking.start()
        time.sleep(0.3)
    asking.join()
    assert got[0].endswith(b"hello 127.0.0.1")


def test_closing_does_not_wait_for_those_who_stall(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        with opened(Opening(tmp_path, port=0)) as serving:
            for begun in (b"", b"GET / HT", b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"):
                stack.enter_context(socket.create_connection(at(serving), timeout=30)).sendall(begun)
            time.sleep(0.1)
            began = time.monotonic()
        assert time.monotonic() - began < 20, "not the time that stalling is given"


@pytest.mark.usefixtures("at_home")
def test_the_certificate_follows_the_machine_to_another_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(Opening(tmp_path, host="0.0.0.0", port=0, https=True)) as serving:
        assert serving.certificate is not None
        assert not serving.look_after()
        before = served(serving)
        monkeypatch.setattr(the_serving, "addresses", lambda: (ip_address("10.0.0.9"),))
        assert serving.look_after()
        assert served(serving) != before, "new connections get the new one"
        assert serving.elsewhere() == (f"https://10.0.0.9:{serving.opening.port}",)


@pytest.mark.usefixtures("at_home")
def test_a_certificate_that_is_over_is_renewed_at_the_start(tmp_path: Path) -> None:
    old = certificate(tmp_path, ["localhost", HOME], datetime.now(UTC) - timedelta(days=500))
    with opened(Opening(tmp_path, host="0.0.0.0", port=0, https=True)) as serving:
        assert serving.certificate is not None
        assert serving.certificate.fingerprint != old.fingerprint
        assert b"hello" in asked(at(serving), get("/"), client_tls(serving.certificate.path))


def served(serving: Serving) -> bytes:
    with client_tls().wrap_socket(socket.create_connection(at(serving), timeout=30)) as sock:
        return sock.getpeercert(binary_form=True) or b""


@pytest.mark.usefixtures("at_home")
def test_the_terminal_names_addresses_code_and_fingerprint_and_no_ticket(tmp_path: Path) -> None:
    with opened(Opening(tmp_path, host="0.0.0.0", port=0, https=True, join_code="482915")) as serving:
        said = greeting(serving)
        assert serving.certificate is not None
        for word in ("https://192.168.1.5:", "http://localhost:", "482 915", serving.certificate.fingerprint, "Ctrl-C"):
            assert word in said
        assert serving.invitation is not None
        assert serving.invitation.join.ticket not in said


class Terminal(io.TextIOWrapper):
    """A terminal of some encoding, or a file."""

    def __init__(self, encoding: str, is_one: bool) -> None:
        self.shown = io.BytesIO()
        super().__init__(self.shown, encoding=encoding)
        self._is_one = is_one

    def isatty(self) -> bool:
        return self._is_one


@pytest.mark.parametrize(
    ("encoding", "is_one", "drawn"),
    [("utf-8", True, True), ("utf-8", False, False), ("cp1252", True, False), ("cp437", True, True)],
)
def test_the_qr_code_is_drawn_where_it_can_be_read(encoding: str, is_one: bool, drawn: bool) -> None:
    terminal = Terminal(encoding, is_one)
    draw("https://192.168.1.5:8150/join#ticket", terminal)
    assert ("▀" in terminal.shown.getvalue().decode(encoding)) is drawn
    assert bool(terminal.shown.getvalue()) is drawn


@pytest.mark.usefixtures("at_home")
def test_without_https_the_terminal_says_what_it_is_for(tmp_path: Path) -> None:
    with opened(Opening(tmp_path, host="0.0.0.0", port=0)) as serving:
        assert "--https" in greeting(serving)
    with opened(Opening(tmp_path, port=0)) as serving:
        assert "--https" not in greeting(serving)


def test_a_machine_without_a_network_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(the_serving, "addresses", lambda: ())
    with opened(Opening(tmp_path, host="0.0.0.0", port=0)) as serving:
        assert "phones cannot come" in greeting(serving)


def test_limits_of_the_front_are_the_opening_s(tmp_path: Path) -> None:
    with opened(Opening(tmp_path, port=0, limits=Limits(head_s=0.2))) as serving:
        assert asked(at(serving), b"GET / HT") == b""


def test_a_body_over_the_limit_is_refused_in_words(tmp_path: Path) -> None:
    with opened(Opening(tmp_path, port=0, body_bytes=1000)) as serving:
        head = b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2000\r\n\r\n"
        assert b" 413 " in asked(at(serving), head + b"x" * 2000)[:20]


COMMAND = """
import sys, threading
from pathlib import Path
from referee.service.serving import Opening, serve

class Worker:
    def start(self): print("worker starts", flush=True)
    def stop(self): print("worker stops", flush=True)

def hello(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"hello"]

serve(hello, Opening(Path(sys.argv[1]), port=0), [Worker()], lambda said: print(said, flush=True))
print("closed; threads left:", threading.active_count() - 1, flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signals")
def test_a_signal_closes_the_page_and_ends_the_workers(tmp_path: Path, number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", COMMAND, str(tmp_path)], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "worker starts\n"
        port = int(running.stdout.readline().rstrip("/\n").rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=30) as sock:
            sock.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b"200 OK" in sock.recv(200)
            running.send_signal(number)
            rest(sock)
        said = running.stdout.read()
    assert running.returncode == 0
    assert said.endswith("worker stops\nclosed; threads left: 0\n")
