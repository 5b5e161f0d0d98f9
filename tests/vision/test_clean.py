"""A clean print is kept from picture to picture, however many are judged at once."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from referee.vision.clean import CleanPrint
from referee.vision.tags import reduced
from tests.vision import patches


def test_many_pictures_at_once_each_get_the_print_with_their_own_blur() -> None:
    print_ = CleanPrint(patches.clean_print().rgb)
    blurs = [0.05, 0.15, 0.25, 0.4] * 6
    alone = {blur: CleanPrint(print_.rgb).blurred(blur) for blur in set(blurs)}
    with ThreadPoolExecutor(8) as many:
        found = list(many.map(print_.blurred, blurs))
    for blur, (values, steep) in zip(blurs, found, strict=True):
        assert np.array_equal(values, alone[blur][0])
        assert np.array_equal(steep, alone[blur][1])


def test_a_reduced_picture_is_the_mean_of_whole_blocks_however_many_hands_made_it() -> None:
    rng = np.random.default_rng(5)
    for step in (2, 3, 4, 6):
        picture = rng.integers(0, 256, (1801 * step + step - 1, 40 * step + 1, 3), np.uint8)
        blocks = picture[: 1801 * step, : 40 * step].reshape(1801, step, 40, step, 3).astype(float).mean(axis=(1, 3))
        small = reduced(picture, step)
        assert small.shape == blocks.shape
        assert np.abs(small - blocks).max() <= (1.0 if step % 2 == 0 else 0.51)
