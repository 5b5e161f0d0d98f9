"""The page's own certificate: made, kept, renewed."""

from __future__ import annotations

import os
import stat
import sys
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID

from referee.errors import WrongUsage
from referee.service.certificate import LIFETIME, MOST_NAMES, RENEWED_BEFORE, certificate, names_for
from tests.service.doors import LOCAL, NOW

HOME = ip_address("192.168.1.5")
CAFE = ip_address("10.0.0.9")
POSIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="modes of files are POSIX's")


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_it_is_what_phones_ask_of_a_server(tmp_path: Path) -> None:
    made = certificate(tmp_path, [*LOCAL, "laptop.local", HOME], NOW)
    held = read(made.path)
    names = held.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost", "laptop.local"]
    assert names.get_values_for_type(x509.IPAddress) == [ip_address("127.0.0.1"), HOME]
    assert isinstance(held.public_key(), ec.EllipticCurvePublicKey)
    assert held.not_valid_after_utc - held.not_valid_before_utc <= timedelta(days=398)
    assert held.not_valid_before_utc < NOW < held.not_valid_after_utc
    purposes = held.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert ExtendedKeyUsageOID.SERVER_AUTH in purposes


def test_it_vouches_for_itself_and_for_no_other(tmp_path: Path) -> None:
    held = read(certificate(tmp_path, LOCAL, NOW).path)
    held.verify_directly_issued_by(held)
    assert held.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False
    assert held.extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign is False


@POSIX_ONLY
def test_its_key_is_for_the_owner_s_eyes_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = certificate(tmp_path / "data", LOCAL, NOW)
    finally:
        os.umask(before)
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert [path.name for path in made.path.parent.iterdir()] == ["certificate.pem"]


def test_it_is_kept_from_start_to_start(tmp_path: Path) -> None:
    assert certificate(tmp_path, LOCAL, NOW) == certificate(tmp_path, LOCAL, NOW + timedelta(days=100))


def test_the_fingerprint_is_the_sha256_that_browsers_show(tmp_path: Path) -> None:
    made = certificate(tmp_path, LOCAL, NOW)
    assert len(made.fingerprint.split(":")) == 32
    assert made.fingerprint == made.fingerprint.upper()


@pytest.mark.parametrize(
    "later",
    [LIFETIME + timedelta(days=1), LIFETIME - RENEWED_BEFORE, timedelta(days=-30)],
    ids=["over", "soon", "early"],
)
def test_one_that_is_over_or_soon_over_or_not_begun_is_renewed(tmp_path: Path, later: timedelta) -> None:
    old = certificate(tmp_path, [*LOCAL, HOME], NOW)
    new = certificate(tmp_path, LOCAL, NOW + later)
    assert new.fingerprint != old.fingerprint
    assert read(new.path).not_valid_before_utc <= NOW + later < new.until - RENEWED_BEFORE
    assert HOME in new.names


def test_a_new_address_needs_a_new_one_and_coming_home_does_not(tmp_path: Path) -> None:
    home = certificate(tmp_path, [*LOCAL, HOME], NOW)
    cafe = certificate(tmp_path, [*LOCAL, CAFE], NOW)
    assert cafe.fingerprint != home.fingerprint
    assert set(cafe.names) == {*LOCAL, HOME, CAFE}
    assert certificate(tmp_path, [*LOCAL, HOME], NOW) == cafe


def test_names_of_earlier_networks_do_not_pile_up_for_ever(tmp_path: Path) -> None:
    for index in range(MOST_NAMES + 5):
        made = certificate(tmp_path, [*LOCAL, ip_address(f"10.0.0.{index}")], NOW)
    assert len(made.names) == MOST_NAMES
    assert ip_address(f"10.0.0.{MOST_NAMES + 4}") in made.names


def test_an_ipv6_address_of_the_day_is_no_reason_for_a_new_one() -> None:
    today = ip_address("2001:db8::1")
    assert names_for(["laptop"], [HOME, today])[1] == (today,)
    assert HOME in names_for(["laptop"], [HOME, today])[0]
    assert today in names_for(["laptop"], [today])[0]


@pytest.mark.parametrize("spoilt", ["empty", "garbage", "no key", "another's key", "torn"])
def test_a_damaged_file_is_replaced(tmp_path: Path, spoilt: str) -> None:
    old = certificate(tmp_path, LOCAL, NOW)
    pem = old.path.read_bytes()
    cut = pem.index(b"-----BEGIN CERTIFICATE")
    other = certificate(tmp_path / "other", LOCAL, NOW).path.read_bytes()
    old.path.write_bytes(
        {
            "empty": b"",
            "garbage": b"\x00\xff" * 500,
            "no key": pem[cut:],
            "another's key": other[: other.index(b"-----BEGIN CERTIFICATE")] + pem[cut:],
            "torn": pem[:-40],
        }[spoilt]
    )
    new = certificate(tmp_path, LOCAL, NOW)
    assert new.fingerprint != old.fingerprint
    new.context()


@POSIX_ONLY
def test_a_key_that_others_could_read_is_given_up(tmp_path: Path) -> None:
    old = certificate(tmp_path, LOCAL, NOW)
    old.path.chmod(0o640)
    new = certificate(tmp_path, LOCAL, NOW)
    assert new.fingerprint != old.fingerprint
    assert stat.S_IMODE(new.path.stat().st_mode) == 0o600


def test_a_folder_that_cannot_be_used_is_said_with_a_cure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(WrongUsage, match="Name a data folder"):
        certificate(tmp_path / "file", LOCAL, NOW)
