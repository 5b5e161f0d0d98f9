"""QR codes are read back by OpenCV's reader, from the terminal's signs and from the page's picture."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from resvg import render, usvg

from referee.service import qr

LINK = "https://192.168.178.25:8150/join#Zm9vYmFyYmF6cXV4MTIzNA"
LIGHT = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}


def read(picture: Any) -> str:
    return str(cv2.QRCodeDetector().detectAndDecode(picture)[0])


@pytest.mark.parametrize("coloured", [True, False])
def test_the_terminal_s_code_leads_to_the_page(coloured: bool) -> None:
    lines = [
        line.removeprefix(qr.WHITE_ON_BLACK).removesuffix(qr.AS_BEFORE)
        for line in qr.terminal(LINK, coloured).splitlines()
    ]
    halves = np.array([[LIGHT[sign] for sign in line] for line in lines], np.uint8)
    modules = halves.transpose(0, 2, 1).reshape(-1, halves.shape[1]) * 255
    picture = cv2.copyMakeBorder(
        np.kron(modules, np.ones((8, 8), np.uint8)), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255
    )
    assert read(picture) == LINK


def test_a_terminal_of_eighty_by_twenty_four_holds_it() -> None:
    lines = qr.terminal(LINK, coloured=False).splitlines()
    assert len(lines) <= 21
    assert len(lines[0]) <= 80


def test_the_page_s_code_leads_to_the_page() -> None:
    large = qr.svg(LINK, "join").replace("<svg ", '<svg width="328" height="328" ', 1)
    png = render(usvg.Tree.from_str(large, usvg.Options.default()), (1, 0, 0, 0, 1, 0))
    assert read(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)) == LINK


def test_its_words_for_a_screen_reader_are_words_only() -> None:
    drawn = qr.svg(LINK, '<script>alert("x")</script>')
    assert 'role="img"' in drawn
    assert "<script" not in drawn
