"""Stage 8, a boost that crosses the bridge."""

from ..plan import Boost, Plan, Road, Thing

PLAN = Plan(
    number=8, name="Squirrel Dash", theme="mushroom wood", clean=0.72,
    roads=(Road((
        (190, 44), (262, 36, 28), (258, 106, 28), (190, 100, 60), (110, 106, 60), (40, 98, 28), (40, 174, 28),
        (90, 178, 40), (142, 174, 27), (138, 100), (140, 36, 25), (46, 42),
    ), width=19),),
    cuts=((230, 40), (180, 101), (96, 105), (60, 176), (140, 158), (134, 46)),
    checkpoints=((261, 70), (70, 102), (108, 177)),
    boosts=(Boost((140, 148), (138, 76)),),
    finish=(62, 41),
    above=(6,),
    sign=(226, 180),
    things=(
        Thing("house", 90, 140, 1.05), Thing("swing_tree", 186, 142, 1.1), Thing("house", 250, 150, 1.1),
        Thing("fairy_ring", 208, 72),
        Thing("owl", 100, 72),
    ),
)  # fmt: skip
