"""The front door with real sockets: TLS and plain, stalled visitors, forged words about oneself."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.service import front as the_front
from referee.service.addresses import addresses
from referee.service.front import Limits, go_to_https, group_of
from tests.service.doors import asked, behind, client_tls, get, made, opened, rest

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


def telling(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """An application that tells what it knows of the visitor, and how many bytes came."""
    names = ("REMOTE_ADDR", "wsgi.url_scheme", the_front.HERE, "HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED")
    told = {name: environ.get(name) for name in names} | {"bytes": len(environ["wsgi.input"].read())}
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(told).encode()]


def told(answer: bytes) -> dict[str, object]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), answer
    found: dict[str, object] = json.loads(body)
    return found


def abroad() -> str:
    """An address of this machine that is not loopback."""
    found = [str(ip) for ip in addresses() if ip.version == 4]
    if not found:
        pytest.skip("this machine has no network address")
    return found[0]


def test_over_tls_an_answer_comes_with_a_certificate_that_names_the_host(tmp_path: Path) -> None:
    cert = made(tmp_path)
    with opened(telling, cert.context()) as address:
        answer = asked(address, get("/"), client_tls(cert.path))
    assert told(answer)["wsgi.url_scheme"] == "https"


def test_another_name_than_the_certificate_s_is_refused_by_the_visitor(tmp_path: Path) -> None:
    cert = made(tmp_path)
    with opened(telling, cert.context()) as address, socket.create_connection(address, timeout=30) as sock:
        with pytest.raises(ssl.SSLCertVerificationError, match=r"doesn't match|not valid for"):
            client_tls(cert.path).wrap_socket(sock, server_hostname="evil.example")
        assert told(asked(address, get("/"), client_tls(cert.path)))


def test_without_a_certificate_plain_http_goes_through() -> None:
    with opened(telling) as address:
        assert told(asked(address, get("/")))["wsgi.url_scheme"] == "http"


def test_this_machine_may_speak_plain_http_on_the_https_port(tmp_path: Path) -> None:
    with opened(telling, made(tmp_path).context()) as address:
        found = told(asked(address, get("/")))
    assert found["wsgi.url_scheme"] == "http"
    assert found[the_front.HERE] is True


def test_several_requests_share_a_connection_and_bodies_arrive_whole(tmp_path: Path) -> None:
    body = b"x" * 700_000
    one = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    with opened(telling, made(tmp_path).context()) as address:
        answer = asked(address, one + one + get("/"), client_tls())
    assert answer.count(b'"bytes": 700000') == 2
    assert answer.count(b"HTTP/1.1 200 OK") == 3


def test_a_long_answer_arrives_whole_before_the_end(tmp_path: Path) -> None:
    def long(_: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Length", "9000000")])
        return [b"y" * 1_000_000] * 9

    with opened(long, made(tmp_path).context()) as address:
        answer = asked(address, get("/"), client_tls())
    assert len(answer.partition(b"\r\n\r\n")[2]) == 9_000_000


@pytest.mark.parametrize(
    "header",
    [
        "X-Forwarded-For: 127.0.0.1",
        "Forwarded: for=127.0.0.1;proto=https",
        "X-Real-IP: 127.0.0.1",
        "Via: 1.1 localhost",
    ],
)
def test_a_forged_header_makes_nobody_local_and_never_reaches_the_page(header: str) -> None:
    with opened(telling) as address:
        answer = asked(address, get("/", header))
    found = told(answer)
    assert found["HTTP_X_FORWARDED_FOR"] is None
    assert found["HTTP_FORWARDED"] is None
    assert found["REMOTE_ADDR"] == "127.0.0.1"
    assert found[the_front.HERE] is False, "a proxy on this machine may bring in anybody"


@pytest.mark.parametrize("header", ["X-Forwarded-For : ::1", "X-Forwarded-For\t: ::1", " X-Forwarded-For: ::1"])
def test_a_header_written_to_slip_through_is_refused_or_not_heard(header: str) -> None:
    with opened(telling) as address:
        answer = asked(address, get("/", "X-Other: 1", header))
    assert b" 400 " in answer[:16] or told(answer)["HTTP_X_FORWARDED_FOR"] is None


def test_a_request_that_avoids_the_front_is_refused() -> None:
    with behind(the_front.KnownByPeers(telling, the_front.Peers())) as address:
        answer = asked(address, get("/", "X-Forwarded-For: 127.0.0.1"))
    assert answer.startswith(b"HTTP/1.1 403")


def test_the_visitor_s_own_address_is_told() -> None:
    with opened(telling, host=abroad()) as address:
        found = told(asked(address, get("/")))
    assert found["REMOTE_ADDR"] == address[0]
    assert found[the_front.HERE] is True, "this machine calling its own address is this machine"


def test_plain_http_from_elsewhere_is_told_where_to_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(the_front, "_ends", lambda _: ("192.168.1.77", 50000, False))
    with opened(telling, made(tmp_path).context()) as address:
        answer = asked(address, get("/races/3", host="192.168.1.5:8150"))
    assert answer.startswith(b"HTTP/1.1 426 Upgrade Required\r\n")
    assert b'<a href="https://192.168.1.5:8150/">' in answer
    assert b"garante" in answer


@pytest.mark.parametrize("host", ['"><script>', "a b", "evil.example/path", "x\x00y", ""])
def test_a_host_that_is_none_is_not_repeated(host: str) -> None:
    answer = go_to_https(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert b"script>" not in answer
    assert b"<a href" not in answer


def seconds_for_an_answer(address: tuple[str, int], tls: ssl.SSLContext | None) -> float:
    began = time.monotonic()
    assert told(asked(address, get("/"), tls))
    return time.monotonic() - began


def test_forty_stalled_visitors_cost_the_others_nothing(tmp_path: Path) -> None:
    half_hello = b"\x16\x03\x01\x02\x00\x01\x00"
    with opened(telling, made(tmp_path).context()) as address, contextlib.ExitStack() as stack:
        for index in range(40):
            sock = stack.enter_context(socket.create_connection(address, timeout=30))
            sock.sendall((b"", half_hello, b"GET / HT", b"POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\nx")[index % 4])
        took = [seconds_for_an_answer(address, client_tls()) for _ in range(5)]
    assert sorted(took)[2] < 0.25


@pytest.mark.parametrize("begun", [b"", b"\x16", b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_who_stalls_before_the_first_request_is_sent_away(tmp_path: Path, begun: bytes) -> None:
    limits = Limits(handshake_s=0.3, head_s=0.3)
    with opened(telling, made(tmp_path).context(), limits) as address:
        began = time.monotonic()
        assert asked(address, begun) == b""
        assert time.monotonic() - began > 0.2


def test_who_drips_a_head_byte_by_byte_is_sent_away_all_the_same() -> None:
    sent = 0
    with opened(telling, None, Limits(head_s=0.5)) as address, socket.create_connection(address, timeout=30) as sock:
        with contextlib.suppress(ConnectionError):
            for byte in b"GET / HTTP/1.1\r\nX: " + b"a" * 100:
                sent += sock.send(bytes([byte]))
                time.sleep(0.05)
        assert rest(sock) == b""
    assert sent < 100


def test_a_quiet_connection_is_ended_after_its_time() -> None:
    with opened(telling, None, Limits(idle_s=0.4)) as address, socket.create_connection(address, timeout=30) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        began = time.monotonic()
        assert told(rest(sock))
        assert time.monotonic() - began > 0.3


def test_an_answer_that_is_not_read_does_not_hold_the_line_for_ever() -> None:
    def endless(_: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [])
        return (b"z" * 100_000 for _ in range(10_000))

    with opened(endless, None, Limits(unread_s=0.4)) as address, socket.create_connection(address, timeout=30) as sock:
        sock.sendall(get("/"))
        time.sleep(1.5)
        got = len(rest(sock))
    assert got < 100_000 * 10_000


def test_a_head_without_end_is_cut_off() -> None:
    with opened(telling) as address:
        assert asked(address, b"GET / HTTP/1.1\r\nX: " + b"a" * 200_000) == b""


def test_one_address_gets_only_so_many_connections_and_this_machine_is_not_held_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = the_front._ends
    visitors = iter(["192.168.1.66"] * 6 + ["192.168.1.7", "192.168.1.8"])
    monkeypatch.setattr(the_front, "_ends", lambda _: (next(visitors), 1, False))
    limits = Limits(from_one=4, connections=5)
    with opened(telling, None, limits) as address, contextlib.ExitStack() as stack:
        held = [stack.enter_context(socket.create_connection(address, timeout=30)) for _ in range(6)]
        assert rest(held[4]) == rest(held[5]) == b"", "the fifth and sixth of one address are sent away"
        assert told(asked(address, get("/"))), "another address has its place"
        stack.enter_context(socket.create_connection(address, timeout=30)).settimeout(0.3)
        monkeypatch.setattr(the_front, "_ends", real)
        assert told(asked(address, get("/"))), "and this machine comes in always"


def test_places_are_free_again_when_connections_end() -> None:
    with opened(telling, None, Limits(from_here=3)) as address:
        for _ in range(20):
            assert told(asked(address, get("/")))


def test_a_network_of_ipv6_counts_as_one_address() -> None:
    assert group_of("2001:db8::1") == group_of("2001:db8::ffff:1:2") != group_of("2001:db8:0:1::1")


def test_a_front_that_stops_ends_what_is_open() -> None:
    with contextlib.ExitStack() as stack:
        with opened(telling) as address:
            sock = stack.enter_context(socket.create_connection(address, timeout=30))
            sock.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert sock.recv(100)
        rest(sock)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address, timeout=2)


STRANGERS_POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\nContent-Length: %d\r\n\r\n"


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(the_front, "_ends", lambda _: ("192.168.1.66", 50000, False))


@pytest.mark.usefixtures("stranger")
def test_a_stranger_has_one_small_request_to_a_connection() -> None:
    small = STRANGERS_POST % 1000 + b"x" * 1000
    with opened(telling, is_known=lambda _: False) as address:
        answer = asked(address, small + small)
    assert answer.count(b"HTTP/1.1 200 OK") == 1
    assert b"Connection: close" in answer


@pytest.mark.usefixtures("stranger")
def test_a_stranger_s_large_body_is_cut_off_and_a_known_one_s_is_not() -> None:
    large = STRANGERS_POST % 900_000 + b"x" * 900_000
    with opened(telling, is_known=lambda head: b"Cookie: known" in head) as address:
        assert asked(address, large) == b""
        known = large.replace(b"keep-alive", b"close\r\nCookie: known", 1)
        assert told(asked(address, known))["bytes"] == 900_000


@pytest.mark.usefixtures("stranger")
@pytest.mark.parametrize(
    "line", ["CONNECTION: keep-alive", "Connection:keep-alive", "Keep-Alive: 5", "Connection: x\r\n y"]
)
def test_no_spelling_keeps_a_stranger_s_connection(line: str) -> None:
    request = f"GET / HTTP/1.1\r\nHost: localhost\r\n{line}\r\n\r\n".encode()
    with opened(telling, is_known=lambda _: False) as address:
        answer = asked(address, request * 2)
    assert answer.count(b"200 OK") + answer.count(b"400 Bad") == 1
