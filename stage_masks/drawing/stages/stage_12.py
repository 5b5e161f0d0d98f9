"""Stage 12, down the drain: a spiral with two pipes and a jump near its middle."""

from ..plan import Plan, Road, Thing

PLAN = Plan(
    number=12, name="Drain Spin", theme="sewer", clean=0.485,
    roads=(
        Road(((40, 40), (110, 32, 60), (200, 38, 60), (262, 34, 28), (264, 110, 60), (260, 180, 28),
            (180, 184, 60), (110, 178, 60), (38, 182, 28), (38, 96, 26), (96, 92)), width=18),
        Road(((120, 91), (214, 94, 21), (216, 138, 21), (100, 136)), width=18),
    ),
    jumps=("zigzag",),
    cuts=((120, 34), (263, 70), (230, 181), (60, 181), (180, 93)),
    checkpoints=((224, 37), (262, 150), (62, 181), (38, 120)),
    pipes=(((120, 33), (196, 37)), ((190, 183), (110, 179))),
    finish=(112, 136),
    sign=(150, 64),
    things=(
        Thing("octopus", 74, 136, 1.25), Thing("ladder", 232, 74), Thing("trumpet_rat", 86, 66),
        Thing("chest", 112, 66),
        Thing("duck_boat", 186, 64), Thing("slime", 240, 150),
    ),
)  # fmt: skip
