"""The Lottery Ball and the Gift Certificate, who are glad to be here."""

from __future__ import annotations

from referee.turbo_time.art.pencil import (
    INK,
    WHITE,
    Art,
    Words,
    box,
    cheeks,
    disc,
    eyes,
    grin,
    oval,
    pen,
    place,
    polygon,
    smile,
    soft,
    star,
)  # fmt: skip


def lottery_ball() -> Art:
    """A ball that has bounced in, with a number on its brow."""
    return (
        oval(0, 12.8, 7.4, 1.6, "#d9b3c4"),
        pen(((-12.4, 9.6), (-10.8, 5.4), (-9.4, 9.0)), "#f58aa0", 0.6),
        pen(((10.0, 9.4), (11.4, 5.8), (12.8, 9.8)), "#f58aa0", 0.6),
        disc(0, 0, 11.0, "#ffc93c", INK),
        soft(((-10.6, -2.6), (-6.0, -0.4), (0, 0.4), (6.0, -0.4), (10.6, -2.6), (11.0, 1.6), (6.0, 4.0), (0, 4.8),
              (-6.0, 4.0), (-11.0, 1.6)), "#f2685c", INK),
        disc(0, -6.2, 3.7, WHITE, INK),
        Words("8", 0, -4.2, 5.6),
        *eyes(0, 1.2, 6.0, 1.8, (0.2, -0.3)),
        *grin(0, 4.0, 5.4, 2.6),
        *cheeks(0, 4.0, 12.0, 1.2, "#ff9a8a"),
        star(-7.2, -5.6, 1.5, WHITE),
        star(7.4, -5.2, 1.3, WHITE),
        pen(((-8.6, -3.4), (-9.0, -0.6)), WHITE, 0.7),
        star(-11.6, -9.4, 1.7, "#5aa9e6", line=INK),
        star(11.2, -10.6, 1.4, "#6fbf5f", line=INK),
        disc(9.4, 10.9, 0.8, "#9a6fd0"),
        disc(-8.6, 11.9, 0.7, "#28a9a4"),
    )  # fmt: skip


def gift_certificate() -> Art:
    """A paper ticket with a bow on its corner."""
    rim = [(-12.6, -7.0), (12.6, -7.0), (12.6, -2.2), (11.0, 0.4), (12.6, 3.0), (12.6, 8.4), (-12.6, 8.4),
           (-12.6, 3.0), (-11.0, 0.4), (-12.6, -2.2)]  # fmt: skip
    return (
        place(
            (
                polygon(rim, "#bfe3c0", INK),
                box(-10.2, -5.2, 20.4, 11.8, "#f4fbf1", 1.2, "#6fae78", 0.4),
                box(4.6, -7.0, 3.2, 15.4, "#e8504a"),
                *_bow(6.2, -6.4),
                *eyes(-3.6, -1.0, 4.6, 1.6, (0.4, 0.0)),
                smile(-3.6, 2.0, 4.4),
                *cheeks(-3.6, 1.6, 8.4, 1.0, "#f7a8a0"),
                star(-8.4, 4.9, 0.9, "#ffc93c"),
                star(1.6, 4.9, 0.9, "#ffc93c"),
                star(1.6, -3.6, 0.9, "#ffc93c"),
                star(-8.4, -3.6, 0.9, "#ffc93c"),
            ),
            0, 0, 1.0, -7.0,
        ),
    )  # fmt: skip


def _bow(x: float, y: float) -> Art:
    """A bow with two loops and two ends."""
    loop = soft(((0, 0), (2.0, -3.6), (5.4, -3.6), (5.6, -0.6), (3.0, 0.8)), "#f2685c", INK, 0.4)
    end = polygon(((0.2, 0.2), (3.8, 4.6), (1.9, 4.3), (1.2, 6.0)), "#c9463f", INK, 0.4)
    return (
        place((end, loop), x, y),
        place((end, loop), x, y, flip=True),
        disc(x, y, 1.3, "#e8504a", INK, 0.4),
    )
