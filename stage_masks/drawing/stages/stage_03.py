"""Stage 3, a fish: down across the middle, round the tail, and back over the bridge."""

from ..plan import Plan, Road, Thing

PLAN = Plan(
    number=3, name="Fish Market", theme="city", clean=0.815,
    roads=(Road((
        (34, 48), (100, 46, 44), (192, 164, 44), (258, 160, 34), (262, 44, 34), (196, 40, 44), (104, 162, 44),
        (30, 164),
    ), width=20),),
    cuts=((94, 47), (196, 163), (200, 41), (94, 162)),
    checkpoints=((222, 162), (260, 100), (74, 163)),
    finish=(44, 164),
    above=(4,),
    sign=(52, 104),
    things=(
        Thing("fish_shop", 206, 116, 1.05), Thing("fountain", 222, 78), Thing("clock_tower", 98, 104),
        Thing("bus", 148, 42),
        Thing("tower", 20, 96), Thing("crossing", 150, 166),
    ),
)  # fmt: skip
