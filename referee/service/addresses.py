"""Where this machine can be reached from the home network: its addresses, best first, and its names.

Everything is read from the operating system; nothing is sent or asked for.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address

import psutil

Ip = IPv4Address | IPv6Address

NOWHERE = ("192.0.2.1", "2001:db8::1")
"""Addresses kept for documentation (RFC 5737, RFC 3849): the way to them is the way to everywhere."""

INNER_LINKS = re.compile(
    r"docker|br-|veth|virbr|vmnet|vboxnet|vethernet|lxc|lxd|podman|cni|tun|tap|utun|wg|tailscale|zt|ppp|awdl|llw",
    re.IGNORECASE,
)
"""How links begin that lead into containers, virtual machines and tunnels: phones are rarely there."""

LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


@dataclass(frozen=True)
class Found:
    """An address of this machine and the name of the link that carries it."""

    ip: Ip
    link: str


def addresses() -> tuple[Ip, ...]:
    """The addresses at which a phone may reach this machine, the likeliest first; none where there is no network."""
    return in_order(_found(), _routed())


def in_order(found: Iterable[Found], routed: Iterable[Ip] = ()) -> tuple[Ip, ...]:
    """The usable ones of some addresses, each once: IPv4 first, real links before inner ones, then those that the
    machine itself goes out by (``routed``), then private ones."""
    usable = {one.ip: one for one in found if _usable(one.ip)}
    outward = set(routed)

    def rank(one: Found) -> tuple[bool, bool, bool, bool, int]:
        inner = INNER_LINKS.match(one.link) is not None
        return one.ip.version != 4, inner, one.ip not in outward, not one.ip.is_private, int(one.ip)

    return tuple(one.ip for one in sorted(usable.values(), key=rank))


def plain(ip: Ip) -> Ip:
    """An address without its scope, and as IPv4 where it is one in the clothes of IPv6 (``::ffff:192.168.1.5``)."""
    if isinstance(ip, IPv6Address):
        return ip.ipv4_mapped or IPv6Address(int(ip))
    return ip


def names() -> tuple[str, ...]:
    """This machine's names in the home network, in small letters: as it calls itself, and that name with ``.local``
    (multicast DNS).  A name that no browser could ask for is left out."""
    called = socket.gethostname().lower().rstrip(".")
    first = called.split(".")[0]
    both = dict.fromkeys((called, first, f"{first}.local"))
    return tuple(name for name in both if all(LABEL.fullmatch(label) for label in name.split(".")))


def in_url(ip: Ip) -> str:
    """An address as it stands in a web address: IPv6 in brackets."""
    return f"[{ip}]" if ip.version == 6 else str(ip)


def _usable(ip: Ip) -> bool:
    """Link-local addresses are left out: a browser takes no scope, without which they lead nowhere."""
    return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast)


def _found() -> tuple[Found, ...]:
    """Every address of every link that is up."""
    up = {link for link, state in psutil.net_if_stats().items() if state.isup}
    links: Mapping[str, list[psutil._ntuples.snicaddr]] = psutil.net_if_addrs()
    internet = (socket.AF_INET, socket.AF_INET6)
    return tuple(
        Found(plain(ip_address(one.address)), link)
        for link, ones in links.items()
        if link in up
        for one in ones
        if one.family in internet
    )


def _routed() -> tuple[Ip, ...]:
    """The addresses that this machine would go out by.  Connecting a datagram socket looks up the way and sends
    nothing."""
    return tuple(ip for target in NOWHERE if (ip := _way_to(target)) is not None)


def _way_to(target: str) -> Ip | None:
    family = socket.AF_INET6 if ":" in target else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            return plain(ip_address(probe.getsockname()[0]))
    except OSError:
        return None
