"""A front with a server behind it on local ports, and raw connections to it."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waitress import wasyncore

from referee.service.certificate import Certificate, certificate
from referee.service.front import Front, KnownByPeers, Limits, Peers
from referee.service.serving import local_server

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
LOCAL = ("localhost", ip_address("127.0.0.1"))


def made(folder: Path, now: datetime | None = None) -> Certificate:
    """A certificate for this machine alone."""
    return certificate(folder, LOCAL, now or datetime.now(UTC))


@contextlib.contextmanager
def opened(
    application: WSGIApplication,
    tls: ssl.SSLContext | None = None,
    limits: Limits | None = None,
    host: str = "127.0.0.1",
    is_known: Callable[[bytes], bool] = lambda _: True,
) -> Iterator[tuple[str, int]]:
    """The address of a front before a server of four threads with this application."""
    peers = Peers()
    with behind(KnownByPeers(application, peers)) as upstream:
        listening = socket.create_server((host, 0))
        front = Front([listening], upstream, peers, tls, limits or Limits(), is_known)
        address: tuple[str, int] = listening.getsockname()[:2]
        front.start()
        try:
            yield address
        finally:
            front.stop()


@contextlib.contextmanager
def behind(application: WSGIApplication) -> Iterator[tuple[str, int]]:
    """The address of a server of four threads."""
    connections: dict[int, Any] = {}
    server = local_server(application, connections, threads=4, body_bytes=10_000_000)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield "127.0.0.1", int(server.effective_port)
    finally:
        server.task_dispatcher.shutdown()
        server.trigger.pull_trigger(lambda: wasyncore.close_all(connections))
        thread.join()


def client_tls(trusted: Path | None = None) -> ssl.SSLContext:
    """A client's settings: it trusts one certificate, or whatever comes."""
    if trusted is not None:
        return ssl.create_default_context(cafile=str(trusted))
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def asked(address: tuple[str, int], request: bytes, tls: ssl.SSLContext | None = None) -> bytes:
    """Everything that is answered to some bytes until the other side closes."""
    sock = socket.create_connection(address, timeout=30)
    with tls.wrap_socket(sock, server_hostname="localhost") if tls is not None else sock as line:
        line.sendall(request)
        return rest(line)


def rest(sock: socket.socket) -> bytes:
    """What still comes on a connection until it is closed."""
    told = b""
    with contextlib.suppress(ConnectionError, ssl.SSLError):
        while chunk := sock.recv(65536):
            told += chunk
    return told


def get(path: str, *lines: str, host: str = "localhost") -> bytes:
    """The bytes of a request that closes its connection."""
    return "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close", *lines, "", ""]).encode()
