"""The certificate that the page makes for itself, so that phones give it their camera.

It vouches for itself and for nothing else: no authority of our own that a phone would have to be taught to trust for
the whole web (a long way through an iPhone's settings, a lasting warning on Android, and a key on a family's laptop
that could then speak for any bank).  A phone warns once, its owner goes on, and the page counts as secure.  Whoever
wants to be sure compares the fingerprint.  Key (P-256), lifetime (under 398 days), purpose and names are as Apple and
Google ask of servers; names stand in the alternative names, addresses as addresses.
"""

from __future__ import annotations

import os
import ssl
import stat
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from referee.errors import WrongUsage
from referee.files import MOST_TEXT, bytes_of
from referee.service.addresses import Ip

FILE = "certificate.pem"
"""Key and certificate in one file, in the data folder: the two can never be of different ages."""

LIFETIME = timedelta(days=397)
RENEWED_BEFORE = timedelta(days=30)
CLOCKS_DIFFER = timedelta(days=1)
"""A phone's clock may be behind ours by so much."""

MOST_NAMES = 32
"""Names and addresses of earlier networks are kept up to so many, so that coming home needs no new certificate, and
no new warning on each phone."""

COMMON_NAME = "Camera referee"

Name = str | Ip
"""What a certificate can be for: a DNS name or an address."""


@dataclass(frozen=True)
class Certificate:
    """A certificate that is ready to use: its file, for whom, until when, and its SHA-256 fingerprint as browsers
    show it (``AB:CD:…``)."""

    path: Path
    names: tuple[Name, ...]
    until: datetime
    fingerprint: str

    def context(self) -> ssl.SSLContext:
        """A server's TLS settings with this certificate: TLS 1.2 and later, as Python chooses the ciphers."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.path)
        return context


def certificate(folder: Path, needed: Sequence[Name], now: datetime, also: Sequence[Name] = ()) -> Certificate:
    """The certificate in ``folder``, made anew where there is none, or it is damaged, or others could read its key, or
    it ends soon, or has not begun, or lacks one of the ``needed`` names.

    ``also`` names what a new one covers besides: addresses that change too often to be a reason for a new one.
    Raises WrongUsage if the folder cannot be written to.
    """
    path = folder / FILE
    kept = _read(path)
    if kept is not None and _in_time(kept, now) and set(needed) <= set(_names(kept)):
        return _described(path, kept)
    before = _names(kept) if kept is not None else ()
    made = _made([*needed, *also, *before], now)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, made)
    except OSError as error:
        raise WrongUsage(
            f"The certificate for https cannot be kept in {folder}: {error.strerror}.",
            "Name a data folder that can be written to, or leave https away.",
        ) from error
    return _described(path, _certificate_in(made))


def _described(path: Path, one: x509.Certificate) -> Certificate:
    fingerprint = one.fingerprint(hashes.SHA256()).hex(":").upper()
    return Certificate(path, _names(one), one.not_valid_after_utc, fingerprint)


def _in_time(one: x509.Certificate, now: datetime) -> bool:
    return one.not_valid_before_utc <= now < one.not_valid_after_utc - RENEWED_BEFORE


def _names(one: x509.Certificate) -> tuple[Name, ...]:
    try:
        held = one.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    ips = [ip for ip in held.get_values_for_type(x509.IPAddress) if isinstance(ip, Ip)]
    return (*held.get_values_for_type(x509.DNSName), *ips)


def _read(path: Path) -> x509.Certificate | None:
    """The certificate that is kept; None if there is none that can be used with its key."""
    try:
        if _readable_by_others(path):
            return None
        pem = bytes_of(path, MOST_TEXT)
        one = _certificate_in(pem)
        key = load_pem_private_key(pem, password=None)
        one.verify_directly_issued_by(one)
    except (OSError, ValueError, TypeError, InvalidSignature):
        return None
    return one if key.public_key() == one.public_key() else None


def _certificate_in(pem: bytes) -> x509.Certificate:
    return x509.load_pem_x509_certificate(pem)


def _readable_by_others(path: Path) -> bool:
    """Whether somebody else on this machine may have the key.  Windows keeps a user's folder to the user itself."""
    return sys.platform != "win32" and bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _made(names: Iterable[Name], now: datetime) -> bytes:
    """A new key and its certificate, as PEM."""
    covered = list(dict.fromkeys(names))[:MOST_NAMES]
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, COMMON_NAME)])
    one = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS_DIFFER)
        .not_valid_after(now - CLOCKS_DIFFER + LIFETIME)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in covered]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_signs_only(), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    pkcs8 = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return pkcs8 + one.public_bytes(Encoding.PEM)


def _general(name: Name) -> x509.GeneralName:
    return x509.DNSName(name) if isinstance(name, str) else x509.IPAddress(name)


def _signs_only() -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True, content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, key_cert_sign=False, crl_sign=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _write(path: Path, pem: bytes) -> None:
    """All or nothing, and from its first byte for the owner's eyes only (``mkstemp`` makes files with mode 0600)."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=FILE)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def names_for(hosts: Iterable[str], ips: Iterable[Ip]) -> tuple[tuple[Name, ...], tuple[Name, ...]]:
    """What a certificate for this machine must cover, and what besides.

    IPv6 addresses of a home change by the day: they are a reason for a new certificate only where there is no IPv4.
    """
    all_ips = tuple(ips)
    lasting = tuple(ip for ip in all_ips if ip.version == 4) or all_ips
    local = ("localhost", ip_address("127.0.0.1"), ip_address("::1"))
    needed = tuple(dict.fromkeys((*local, *hosts, *lasting)))
    return needed, tuple(ip for ip in all_ips if ip not in lasting)
