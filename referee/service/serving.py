"""Opening the page: the server, the front before it, the guard between, and the workers beside; and closing it.

`serve` does it all for a command; `Serving` alone is what tests and other programs start and stop.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from waitress import wasyncore
from waitress.server import create_server

from referee.errors import WrongUsage
from referee.service import qr
from referee.service.addresses import Ip, addresses, in_url, names
from referee.service.certificate import Certificate, certificate, names_for
from referee.service.front import Front, KnownByPeers, Limits, Peers
from referee.service.guard import Guard, has_joined
from referee.service.invitation import Invitation
from referee.service.join import Join, kept_key
from referee.words import LANGUAGES

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

THREADS = 72
"""More than fifty uploads at once take: those wait for a place (`crowd`), and a clock's request finds a thread."""
BODY_IN_MEMORY_BYTES = 256 * 1024
LARGEST_BODY_BYTES = 1 << 30
FINISHING_S = 3.0
"""How long requests that are being answered may take when the page is closed."""
LOOKED_AFTER_S = 60.0
"""How often the certificate is looked after while the page is open."""
EVERYWHERE = ("0.0.0.0", "::")
SAME = {
    **dict.fromkeys(("localhost", "127.0.0.1"), ("127.0.0.1", "::1")),
    **dict.fromkeys(EVERYWHERE, EVERYWHERE),
}
"""Hosts that are opened by IPv4 and IPv6 at once, so that ``localhost`` leads to this page and no other; IPv4 first."""
HOME_ENDINGS = ("lan", "home", "home.arpa", "internal", "fritz.box")
"""What routers of homes put behind a machine's name."""


USUAL_LIMITS = Limits()


class Worker(Protocol):
    """Something that works beside the server while the page is open."""

    def start(self) -> None:
        """Begin; returns at once."""

    def stop(self) -> None:
        """End; returns when it has ended."""


@dataclass(frozen=True)
class Opening:
    """How the page is opened.

    ``host`` is an address of this machine: 127.0.0.1 for this machine alone, 0.0.0.0 for the home network.
    ``join_code`` is the code to come in from elsewhere; empty: made anew.  ``hosts`` are more names that the page goes
    by.  ``body_bytes`` is the most that a request may bring, ``language`` that of whoever asks for none.
    """

    folder: Path
    host: str = "127.0.0.1"
    port: int = 8150
    https: bool = False
    join_code: str = ""
    hosts: tuple[str, ...] = ()
    threads: int = THREADS
    body_bytes: int = LARGEST_BODY_BYTES
    language: str = LANGUAGES[0]
    limits: Limits = USUAL_LIMITS

    @property
    def is_for_others(self) -> bool:
        """Whether other machines can come."""
        return self.host != "localhost" and not ip_address(self.host).is_loopback

    def __post_init__(self) -> None:
        with contextlib.suppress(ValueError):
            if self.host == "localhost" or ip_address(self.host):
                return
        raise WrongUsage(
            f"{self.host!r} is no address to open the page at.",
            "Say 127.0.0.1 for this machine alone, 0.0.0.0 for the home network, or one of this machine's addresses.",
        )


class Serving:
    """The page while it is open.  Raises WrongUsage at birth if the port cannot be had or the folder not be used."""

    def __init__(self, application: WSGIApplication, opening: Opening) -> None:
        with contextlib.ExitStack() as undo:
            listening = [undo.enter_context(one) for one in listeners(opening.host, opening.port)]
            self.opening = replace(opening, port=listening[0].getsockname()[1])
            self.certificate = self._certificate() if opening.https else None
            self._tls = self.certificate.context() if self.certificate is not None else None
            self.invitation = self._invitation() if opening.is_for_others else None
            self._server = _Server(application, self.invitation, self.opening)
            self._front = Front(
                listening, self._server.address, self._server.peers, self._tls, opening.limits, self._is_known
            )
            undo.pop_all()

    def start(self) -> None:
        """Open the page; returns at once."""
        self._server.start()
        self._front.start()

    def stop(self) -> None:
        """Close it: no new visitors, answers that are under way are finished, then all connections end."""
        self._front.close_door()
        self._server.stop()
        self._front.stop()

    def here(self) -> str:
        """The page's address on this machine.  Plain http even with https: a browser counts localhost as secure."""
        host = self.opening.host
        if host in SAME:
            return f"http://localhost:{self.opening.port}"
        if self.opening.is_for_others:
            return self.elsewhere()[0]
        return f"http://{in_url(ip_address(host))}:{self.opening.port}"

    def elsewhere(self) -> tuple[str, ...]:
        """The page's addresses for others, best first."""
        scheme = "https" if self.opening.https else "http"
        return tuple(f"{scheme}://{in_url(ip)}:{self.opening.port}" for ip in self._ips())

    def look_after(self) -> bool:
        """Put a new certificate in the place of one that ends soon or lacks an address; True if there is a new one.

        Connections that are open go on with the old one.
        """
        if self._tls is None or self.certificate is None:
            return False
        before, self.certificate = self.certificate, self._certificate()
        if self.certificate.fingerprint == before.fingerprint:
            return False
        self._tls.load_cert_chain(self.certificate.path)
        return True

    def _is_known(self, head: bytes) -> bool:
        return self.invitation is not None and has_joined(self.invitation.join, head)

    def _certificate(self) -> Certificate:
        needed, also = names_for((*names(), *self.opening.hosts), self._ips())
        return certificate(self.opening.folder, needed, datetime.now(UTC), also)

    def _invitation(self) -> Invitation:
        join = Join(self.opening.join_code, kept_key(self.opening.folder))
        return Invitation(join, self.elsewhere, lambda: self.certificate.fingerprint if self.certificate else "")

    def _ips(self) -> tuple[Ip, ...]:
        if not self.opening.is_for_others:
            return ()
        return addresses() if self.opening.host in EVERYWHERE else (ip_address(self.opening.host),)


class _Server:
    """Waitress on a local port, behind the front."""

    def __init__(self, application: WSGIApplication, invitation: Invitation | None, opening: Opening) -> None:
        self.peers = Peers()
        first = names()[:1]
        known = (*names(), *(f"{one.split('.')[0]}.{ending}" for one in first for ending in HOME_ENDINGS))
        guarded = KnownByPeers(Guard(application, invitation, (*known, *opening.hosts), opening.language), self.peers)
        self._map: dict[int, Any] = {}
        self._server = local_server(guarded, self._map, opening.threads, opening.body_bytes)
        self.address = ("127.0.0.1", int(self._server.effective_port))
        self._thread = threading.Thread(target=self._server.run, name="server", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Finish what is being answered, then end."""
        self._server.task_dispatcher.shutdown(timeout=FINISHING_S)
        until_s = time.monotonic() + 1
        while self._unsent() and time.monotonic() < until_s:
            time.sleep(0.01)
        self._server.trigger.pull_trigger(lambda: wasyncore.close_all(self._map))
        self._thread.join()

    def _unsent(self) -> bool:
        return any(channel.total_outbufs_len for channel in list(self._server.active_channels.values()))


def local_server(application: WSGIApplication, map_: dict[int, Any], threads: int, body_bytes: int) -> Any:
    """A waitress server on a free local port.  It bears more connections than the front lets in, and leaves the words
    of proxies to `KnownByPeers`."""
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # fifty uploads at once are no news
    return create_server(
        application,
        map=map_,
        host="127.0.0.1",
        port=0,
        threads=threads,
        ident=None,
        connection_limit=1000,
        channel_timeout=3600,
        channel_request_lookahead=1,
        inbuf_overflow=BODY_IN_MEMORY_BYTES,
        max_request_body_size=body_bytes,
        clear_untrusted_proxy_headers=False,
        asyncore_use_poll=True,
    )


def listeners(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen at an address, or at two (`SAME`).

    Raises WrongUsage with a cure if the port is taken or may not be had.
    """
    opened: list[socket.socket] = []
    try:
        for one in SAME.get(host, (host,)):
            with _told_without_ipv6(one, bool(opened)):
                opened.append(_listener(one, opened[0].getsockname()[1] if opened else port))
    except OSError as error:
        for sock in opened:
            sock.close()
        raise WrongUsage(*_why_not(error, host, port)) from error
    return opened


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=256)


@contextlib.contextmanager
def _told_without_ipv6(host: str, another: bool) -> Iterator[None]:
    """A machine without IPv6 is no fault where IPv4 was opened; a port that another program has there is one."""
    try:
        yield
    except OSError as error:
        if not (another and ":" in host and error.errno != errno.EADDRINUSE):
            raise


def _why_not(error: OSError, host: str, port: int) -> tuple[str, str]:
    """What is wrong with a port or address, and the cure."""
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is taken.",
            f"Is the page open already? Otherwise choose another: --port {port % 65535 + 1}.",
        )
    if error.errno == errno.EACCES:
        return f"Port {port} is not for everybody.", "Choose one above 1023: --port 8150."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"This machine has no address {host}.", "Say --host 0.0.0.0 for all that it has."
    return f"{host}, port {port} cannot be opened: {error.strerror}.", "Choose another --host or --port."


# ---------------------------------------------------------------------------------------------------------- a command


def serve(
    application: WSGIApplication,
    opening: Opening,
    workers: Sequence[Worker] = (),
    say: Callable[[str], None] = print,
    opened: Callable[[str], object] | None = None,
) -> None:
    """Keep the page open until Ctrl-C or SIGTERM.

    ``say`` gets the words for whoever started it; the QR code goes to the terminal itself, if there is one.  ``opened``
    gets the page's address on this machine.
    """
    serving = Serving(application, opening)
    with _told_to_stop() as stop, contextlib.ExitStack() as closing:
        serving.start()
        closing.callback(serving.stop)
        for worker in workers:
            worker.start()
            closing.callback(worker.stop)
        say(greeting(serving))
        if serving.invitation is not None and serving.invitation.link is not None:
            draw(serving.invitation.link, sys.stderr)
        if opened is not None:
            opened(serving.here())
        _wait(serving, stop, say)


def _wait(serving: Serving, stop: threading.Event, say: Callable[[str], None]) -> None:
    looked_s = time.monotonic()
    while not stop.wait(0.5):  # Windows hears Ctrl-C between two waits only
        if time.monotonic() - looked_s < LOOKED_AFTER_S:
            continue
        looked_s = time.monotonic()
        with contextlib.suppress(WrongUsage):
            if serving.look_after() and serving.certificate is not None:
                say(f"A new certificate; phones warn once more. Its fingerprint: {serving.certificate.fingerprint}")


@contextlib.contextmanager
def _told_to_stop() -> Iterator[threading.Event]:
    """An event that is set by Ctrl-C or SIGTERM; a second Ctrl-C ends everything at once."""
    stop = threading.Event()
    before: dict[int, Any] = {}

    def heard(*_: object) -> None:
        stop.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    for number in (signal.SIGINT, signal.SIGTERM):
        before[number] = signal.signal(number, heard)
    try:
        yield stop
    finally:
        for heard_of, handler in before.items():
            signal.signal(heard_of, handler)


def greeting(serving: Serving) -> str:
    """What is said about an open page: its addresses, and for phones the code and what their browsers will say."""
    lines = [f"The camera referee: {serving.here()}/"]
    invitation = serving.invitation
    if invitation is not None:
        lines += [f"  for phones:       {address}/" for address in serving.elsewhere()]
        lines += [f"  join code:        {invitation.code}"] if invitation.link else [NO_NETWORK]
    if serving.certificate is not None:
        lines += [WARNS_ONCE, f"  {serving.certificate.fingerprint}"]
    elif invitation is not None:
        lines.append(NO_CAMERA)
    return "\n".join([*lines, "Stop with Ctrl-C."])


NO_NETWORK = "  This machine is in no network: phones cannot come."
WARNS_ONCE = (
    "Phones warn once that they do not know this page: choose Advanced or Show details, then go on.\n"
    "To be sure that it is this page, compare the certificate's SHA-256 fingerprint:"
)
NO_CAMERA = "Browsers give a phone's live camera to https pages only: add --https for it. Single photos work without."


def draw(link: str, terminal: TextIO) -> None:
    """Draw a link's QR code on a terminal; where there is none, or one that cannot show it, nothing."""
    try:
        "█▀▄".encode(terminal.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return
    if terminal.isatty():
        terminal.write(f"\n{qr.terminal(link, coloured=True)}\n\n")
        terminal.flush()
