"""Stage 2, round the blocks: plain, with the square corners of streets."""

from ..plan import Plan, Road, Thing

PLAN = Plan(
    number=2, name="Corner Shops", theme="city", clean=0.83,
    roads=(Road((
        (42, 36), (38, 108, 19), (98, 104, 19), (94, 178, 19), (166, 174, 19), (162, 100, 19), (166, 36, 19),
        (258, 40, 19), (254, 104, 19), (212, 100, 19), (214, 182),
    ), width=20),),
    cuts=((40, 90), (96, 150), (164, 140), (190, 37), (256, 60)),
    checkpoints=((70, 106), (130, 176), (212, 38)),
    finish=(214, 170),
    sign=(104, 42),
    things=(
        Thing("bakery", 126, 74), Thing("fountain", 130, 140), Thing("tower", 72, 62),
        Thing("clock_tower", 252, 148),
        Thing("bus", 210, 72), Thing("town_house", 66, 152), Thing("crossing", 188, 128),
    ),
)  # fmt: skip
