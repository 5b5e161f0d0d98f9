"""The front door: takes connections, speaks TLS where asked to, and passes bytes on to the server behind it.

One loop in one thread holds every connection, so that one which stalls costs nothing to the others: in its handshake,
in the head of its first request, in the middle of a body or with an answer that it does not read.  Only a connection
whose first request has its whole head is passed on at all, each over a local connection of its own.

**Who is asking** is told beside the bytes, not in them: the local connection's port stands in a table (`Peers`) with
the address that it came from, and `KnownByPeers` writes it into the request's environment.  There is no header that a
visitor could forge and no secret that could leak; a request that did not come through the front is refused.

With a certificate the same port still hears plain http: from this machine it is served (a browser counts ``localhost``
as secure anyway, and shows no warning), from elsewhere it is told where to go.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import re
import socket
import ssl
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

from referee.service.addresses import plain

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

CHUNK_BYTES = 1 << 18
FAREWELL_S = 0.5
TLS_HANDSHAKE = b"\x16"
"""The first byte of a TLS connection (RFC 8446, 5.1); no request of http begins with it."""

HERE = "referee.here"
"""In a request's environment: whether it comes from this machine itself."""

SPOKEN_FOR = (
    "HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_FORWARDED_PORT", "HTTP_X_FORWARDED_BY", "HTTP_X_FORWARDED_PREFIX", "HTTP_X_REAL_IP", "HTTP_TRUE_CLIENT_IP",
    "HTTP_CF_CONNECTING_IP",
)  # fmt: skip
"""Headers by which a proxy speaks for somebody else.  They make nobody local, and the one who sends them from this
machine is not taken for a person at it: somebody else's proxy may stand there and bring in the world."""


@dataclass(frozen=True)
class Limits:
    """How long and how much the front bears."""

    handshake_s: float = 10.0
    head_s: float = 15.0
    """From the first byte to the end of the first request's head."""
    idle_s: float = 120.0
    """Without a byte in either direction; a stream of events must say something more often."""
    unread_s: float = 30.0
    """With an answer, or a part of one, that the other side does not take."""
    head_bytes: int = 65_536
    stranger_bytes: int = 65_536
    """What a stranger's connection may bring: enough for a join code, too little to fill a disk with."""
    connections: int = 150
    """From elsewhere, all together; this machine itself is not held up by them.  Each takes three files at most, of
    which systems give 1024 at least, and two of the 512 sockets that Windows' ``select`` can wait for."""
    from_one: int = 40
    """From one address (of IPv6: one network of 64 bits, which one machine can have to itself)."""
    from_here: int = 80


@dataclass(frozen=True)
class Peer:
    """The other end of a connection."""

    ip: str
    port: int
    here: bool
    secure: bool


class Peers:
    """Who stands behind each local connection, by its port.  One thread writes, others read."""

    def __init__(self) -> None:
        self._by_port: dict[int, Peer] = {}

    def of(self, port: str) -> Peer | None:
        """The peer behind a port, as it stands in a request's environment; None if the front has none there."""
        return self._by_port.get(int(port)) if port.isdecimal() else None

    @contextlib.contextmanager
    def standing(self, port: int, peer: Peer) -> Iterator[None]:
        """While a connection is open."""
        self._by_port[port] = peer
        try:
            yield
        finally:
            del self._by_port[port]


class KnownByPeers:
    """WSGI: tells the application who asks, and takes away what visitors say about themselves."""

    def __init__(self, application: WSGIApplication, peers: Peers) -> None:
        self._application = application
        self._peers = peers

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request; 403 if it did not come through the front."""
        peer = self._peers.of(environ.get("REMOTE_PORT", ""))
        if peer is None:
            start_response("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8")])
            return [b"This is the back door. The page's own address leads to the front.\n"]
        spoken_for = [name for name in SPOKEN_FOR if environ.pop(name, None) is not None]
        environ["REMOTE_ADDR"] = peer.ip
        environ["REMOTE_PORT"] = str(peer.port)
        environ["wsgi.url_scheme"] = "https" if peer.secure else "http"
        environ[HERE] = peer.here and not spoken_for
        return self._application(environ, start_response)


Way = tuple[asyncio.StreamReader, asyncio.StreamWriter, int]
"""From where, to where, and how many bytes at most."""


class Front:
    """Takes connections on listening sockets and passes them to ``upstream``, a local (host, port).

    ``is_known`` tells by the head of a first request whether somebody from elsewhere is no stranger.  A stranger's
    connection carries one request, and a small one: the server behind keeps a whole body before anybody can look at it.
    """

    def __init__(
        self,
        listening: Sequence[socket.socket],
        upstream: tuple[str, int],
        peers: Peers,
        tls: ssl.SSLContext | None = None,
        limits: Limits = Limits(),
        is_known: Callable[[bytes], bool] = lambda _: True,
    ) -> None:
        self._listening = listening
        self._upstream = upstream
        self._peers = peers
        self._tls = tls
        self._limits = limits
        self._is_known = is_known
        self._counted: Counter[str] = Counter()
        self._connections: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run, name="front", daemon=True)
        self._accepting: list[asyncio.Task[None]] = []
        self._loop: asyncio.AbstractEventLoop = asyncio.SelectorEventLoop()  # Windows' own cannot wait for a socket
        self._ended = asyncio.Event()

    def start(self) -> None:
        """Begin to take connections, in a thread of its own."""
        for listener in self._listening:
            listener.setblocking(False)
        self._thread.start()

    def close_door(self) -> None:
        """Take no more connections; those that are open go on."""
        asyncio.run_coroutine_threadsafe(self._close_door(), self._loop).result(timeout=5)

    def stop(self) -> None:
        """End every connection and the thread."""
        if self._thread.is_alive():
            self.close_door()
            self._loop.call_soon_threadsafe(self._ended.set)
            self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._keep_open())
        finally:
            self._loop.close()

    async def _keep_open(self) -> None:
        self._accepting = [asyncio.create_task(self._accept(listener)) for listener in self._listening]
        await self._ended.wait()
        if self._connections:  # what is on its way out still goes
            await asyncio.wait(self._connections, timeout=FAREWELL_S)
        left = [*self._accepting, *self._connections]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _close_door(self) -> None:
        for task in self._accepting:
            task.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        for listener in self._listening:
            listener.close()

    # ------------------------------------------------------------------------------------------------- one connection

    async def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                sock, _ = await self._loop.sock_accept(listener)
            except OSError:  # gone again already, or no file left for it: the listener itself is sound
                await asyncio.sleep(0.05)
                continue
            task = asyncio.create_task(self._hold(sock))
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)

    async def _hold(self, sock: socket.socket) -> None:
        """Serve one connection to its end, whatever that is."""
        with sock, contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            ip, port, here = _ends(sock)
            with self._admitted(ip, here) as admitted:
                if admitted:
                    await self._serve(sock, Peer(ip, port, here, secure=await self._speaks_tls(sock)))

    @contextlib.contextmanager
    def _admitted(self, ip: str, here: bool) -> Iterator[bool]:
        """Whether there is room for one more connection; it is counted while it lasts."""
        group = "here" if here else group_of(ip)
        total = "here" if here else "elsewhere"
        most = self._limits
        room = (
            self._counted[group] < most.from_here
            if here
            else self._counted[group] < most.from_one and self._counted[total] < most.connections
        )
        counted = {group, total} if room else set()
        self._counted.update(counted)
        try:
            yield room
        finally:
            self._counted.subtract(counted)
            for name in counted:
                if not self._counted[name]:
                    del self._counted[name]

    async def _speaks_tls(self, sock: socket.socket) -> bool:
        """Whether a connection begins with TLS: its first byte is looked at and left where it is."""
        if self._tls is None:
            return False
        async with asyncio.timeout(self._limits.head_s):
            while True:
                try:
                    return sock.recv(1, socket.MSG_PEEK) == TLS_HANDSHAKE
                except (BlockingIOError, InterruptedError):
                    await self._readable(sock)

    async def _readable(self, sock: socket.socket) -> None:
        ready: asyncio.Future[None] = self._loop.create_future()
        self._loop.add_reader(sock, _wake, ready)
        try:
            await ready
        finally:
            self._loop.remove_reader(sock)

    async def _serve(self, sock: socket.socket, peer: Peer) -> None:
        async with self._streams(sock, self._tls if peer.secure else None) as (reader, writer):
            async with asyncio.timeout(self._limits.head_s):
                head = await reader.readuntil(b"\r\n\r\n")
            if self._tls is not None and not peer.secure and not peer.here:
                writer.write(go_to_https(head))
                await self._farewell(writer)
                return
            stranger = not peer.here and not self._is_known(head)
            with socket.socket() as local:
                local.setblocking(False)
                await self._loop.sock_connect(local, self._upstream)
                local.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with self._peers.standing(local.getsockname()[1], peer):
                    async with self._streams(local, None) as (answers, requests):
                        requests.write(for_one_request(head) if stranger else head)
                        most = self._limits.stranger_bytes if stranger else sys.maxsize
                        await self._pass_on((reader, requests, most), (answers, writer, sys.maxsize))

    @contextlib.asynccontextmanager
    async def _streams(
        self, sock: socket.socket, tls: ssl.SSLContext | None
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A connected socket as a reader and a writer; what is still unsent at the end is dropped."""
        reader = asyncio.StreamReader(limit=self._limits.head_bytes, loop=self._loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=self._loop)
        wait_s = self._limits.handshake_s if tls is not None else None
        transport, _ = await self._loop.connect_accepted_socket(
            lambda: protocol, sock, ssl=tls, ssl_handshake_timeout=wait_s
        )
        try:
            yield reader, asyncio.StreamWriter(transport, protocol, reader, self._loop)
        finally:
            transport.abort()

    async def _pass_on(self, question: Way, answer: Way) -> None:
        """Both ways, until either side has said its last or neither says anything; a last answer is still delivered."""
        heard = _Heard(self._loop.time())
        asking = asyncio.create_task(self._pump(*question, heard))
        answering = asyncio.create_task(self._pump(*answer, heard))
        try:
            await self._until_quiet({asking, answering}, heard)
            if answering.done() and answering.exception() is None:
                await self._farewell(answer[1])
        finally:
            asking.cancel()
            answering.cancel()
            await asyncio.gather(asking, answering, return_exceptions=True)

    async def _until_quiet(self, pumps: set[asyncio.Task[None]], heard: _Heard) -> None:
        """Until one of two pumps has ended, or nothing came through either for the idle time."""
        ended: set[asyncio.Task[None]] = set()
        while not ended and (left_s := heard.at_s + self._limits.idle_s - self._loop.time()) > 0:
            ended, _ = await asyncio.wait(pumps, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, most: int, heard: _Heard) -> None:
        """One way, until the source ends or has brought more than it may."""
        while (chunk := await source.read(CHUNK_BYTES)) and (most := most - len(chunk)) >= 0:
            heard.at_s = self._loop.time()
            sink.write(chunk)
            async with asyncio.timeout(self._limits.unread_s):
                await sink.drain()

    async def _farewell(self, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(self._limits.unread_s):
            writer.close()
            await writer.wait_closed()


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


@dataclass
class _Heard:
    """When a connection last carried a byte, by the loop's clock."""

    at_s: float


def _ends(sock: socket.socket) -> tuple[str, int, bool]:
    """The other end's address and port, and whether it is this machine: loopback, or the very address called."""
    other, port = sock.getpeername()[:2]
    ours = sock.getsockname()[0]
    ip = plain(ip_address(other))
    return str(ip), port, ip.is_loopback or ip == plain(ip_address(ours))


def group_of(ip: str) -> str:
    """What counts as one visitor's address: an IPv4 address, or of IPv6 the network of 64 bits that one machine can
    have to itself.

    >>> group_of("192.168.1.5"), group_of("2001:db8::1:2:3:4")
    ('192.168.1.5', '2001:db8::/64')
    """
    address = ip_address(ip)
    return str(ip_network((ip, 64), strict=False)) if isinstance(address, IPv6Address) else ip


HOST = re.compile(rb"(?im)^host:[ \t]*([a-z0-9.\-]+|\[[0-9a-f:.]+\])(:\d{1,5})?[ \t]*\r$")

HTTPS_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Camera referee</title>
<style>:root{{color-scheme:light dark}}body{{font:1.25rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:36rem;
padding:0 1rem}}a{{font-size:1.5rem;overflow-wrap:anywhere}}</style>
<h1>Camera referee</h1>
<p>This page speaks https, so that the camera works. Your phone will warn you once, because the page vouches for
itself. Tap <b>Advanced</b> or <b>Show details</b>, then go on.</p>
<p lang="fr">Cette page parle https, pour que la caméra marche. Le téléphone avertit une fois, car la page se porte
garante d’elle-même. Touchez <b>Paramètres avancés</b> ou <b>Afficher les détails</b>, puis continuez.</p>
<p>{link}</p>
</html>
"""


CONNECTION = re.compile(rb"(?im)^(connection|keep-alive):[^\r\n]*\r\n")


def for_one_request(head: bytes) -> bytes:
    """The head of a request that asks for its connection to be closed after the answer.

    >>> for_one_request(b"GET / HTTP/1.1\\r\\nConnection: keep-alive\\r\\nHost: a\\r\\n\\r\\n")
    b'GET / HTTP/1.1\\r\\nConnection: close\\r\\nHost: a\\r\\n\\r\\n'
    """
    return CONNECTION.sub(b"", head).replace(b"\r\n", b"\r\nConnection: close\r\n", 1)


def go_to_https(head: bytes) -> bytes:
    """The answer to plain http where https is spoken: a page that says so, with the link (426, RFC 9110, 15.5.22).

    No silent redirect: the warning that comes next would frighten whom nobody told.  Nothing of the request but its
    host is used, and only if it looks like one.
    """
    found = HOST.search(head)
    address = "https://" + (found[1] + (found[2] or b"")).decode("ascii") if found else ""
    link = f'<a href="{html.escape(address)}/">{html.escape(address)}</a>' if found else "https://…"
    body = HTTPS_PAGE.format(link=link).encode()
    lines = [
        "HTTP/1.1 426 Upgrade Required", "Upgrade: TLS/1.2", "Connection: upgrade, close", "Cache-Control: no-store",
        "Content-Type: text/html; charset=utf-8", f"Content-Length: {len(body)}",
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'", "", "",
    ]  # fmt: skip
    return "\r\n".join(lines).encode() + body
