"""Stage 6, one long bend, taken at full speed."""

from ..plan import Boost, Plan, Road, Thing

PLAN = Plan(
    number=6, name="Merry Bend", theme="park", clean=0.755,
    roads=(Road((
        (38, 44), (110, 34, 60), (262, 36, 66), (262, 176, 66), (120, 170, 60), (40, 176, 30), (40, 104, 30),
        (110, 110, 50), (194, 102),
    ), width=21),),
    cuts=((120, 35), (243, 56), (200, 174), (60, 173), (80, 107)),
    checkpoints=((90, 37), (140, 171), (40, 140)),
    boosts=(Boost((184, 35), (182, 173)),),
    finish=(182, 103),
    sign=(110, 74),
    things=(
        Thing("carousel", 218, 108, 1.35), Thing("pond", 116, 140, 0.95), Thing("picnic", 180, 136),
        Thing("ice_cart", 196, 70, 0.9),
        Thing("slide", 58, 74), Thing("dog", 158, 72),
    ),
)  # fmt: skip
