"""Stage 9, the shape of a lightning bolt: two boosts and a pipe out of the rain."""

from ..plan import Boost, Plan, Road, Thing

PLAN = Plan(
    number=9, name="Thunder Bolt", theme="storm", clean=0.6,
    roads=(Road((
        (34, 44), (176, 36, 19), (102, 106, 19), (206, 104, 19), (132, 176, 19), (258, 178, 28), (262, 110, 60),
        (258, 38, 26),
        (208, 42),
    ), width=18),),
    cuts=((70, 42), (124, 84), (180, 128), (210, 176), (261, 120)),
    checkpoints=((152, 105), (166, 142), (262, 62)),
    boosts=(Boost((72, 42), (142, 66)), Boost((176, 175), (254, 166))),
    pipes=(((261, 138), (261, 80)),),
    finish=(218, 41),
    sign=(58, 172),
    things=(
        Thing("lighthouse", 54, 100, 1.45), Thing("windmill", 112, 150, 1.2), Thing("cottage", 206, 128, 1.1),
        Thing("thundercloud", 98, 76, 1.15), Thing("boat", 24, 150), Thing("washing", 212, 72),
        Thing("thundercloud", 216, 100),
    ),
)  # fmt: skip
