"""Which addresses of a machine a phone could use, and in which order."""

from __future__ import annotations

import socket
from ipaddress import ip_address

import pytest

from referee.service import addresses as the_addresses
from referee.service.addresses import Found, addresses, in_order, in_url, names, plain


def found(*pairs: tuple[str, str]) -> list[Found]:
    return [Found(ip_address(ip), link) for ip, link in pairs]


def test_what_leads_nowhere_for_a_phone_is_left_out() -> None:
    nowhere = found(("127.0.0.1", "lo"), ("::1", "lo"), ("169.254.3.4", "eth0"), ("fe80::1", "eth0"), ("0.0.0.0", "x"))
    assert in_order(nowhere) == ()


def test_ipv4_goes_first_then_the_way_out_and_tunnels_last() -> None:
    ones = found(
        ("2001:db8:1::5", "wlan0"), ("172.17.0.1", "docker0"), ("10.8.0.2", "tun0"), ("192.168.7.7", "eth1"),
        ("192.168.1.5", "wlan0"),
    )  # fmt: skip
    ordered = in_order(ones, routed=[ip_address("192.168.1.5"), ip_address("10.8.0.2")])
    assert [str(ip) for ip in ordered] == ["192.168.1.5", "192.168.7.7", "10.8.0.2", "172.17.0.1", "2001:db8:1::5"]


def test_an_address_on_two_links_is_named_once() -> None:
    assert len(in_order(found(("192.168.1.5", "eth0"), ("192.168.1.5", "br0")))) == 1


def test_ipv4_in_the_clothes_of_ipv6_is_ipv4_and_a_scope_is_dropped() -> None:
    assert plain(ip_address("::ffff:192.168.1.5")) == ip_address("192.168.1.5")
    assert plain(ip_address("2001:db8::1%eth0")) == ip_address("2001:db8::1")
    assert in_url(ip_address("2001:db8::1")) == "[2001:db8::1]"


def test_this_machine_s_own_addresses_can_be_called() -> None:
    for ip in addresses():
        family = socket.AF_INET if ip.version == 4 else socket.AF_INET6
        with socket.create_server((str(ip), 0), family=family) as server:
            socket.create_connection(server.getsockname()[:2], timeout=2).close()


@pytest.mark.parametrize(
    ("called", "known"),
    [
        ("Laptop", ("laptop", "laptop.local")),
        ("laptop.fritz.box", ("laptop.fritz.box", "laptop", "laptop.local")),
        ("Émile's laptop", ()),
        ('"><script>', ()),
        ("under_score", ()),
        ("", ()),
    ],
)
def test_names_are_those_a_browser_could_ask_for(
    monkeypatch: pytest.MonkeyPatch, called: str, known: tuple[str, ...]
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: called)
    assert names() == known


def test_no_network_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(the_addresses, "_found", lambda: ())
    assert addresses() == ()
