"""Stage 4, a walk in the wood with one jump over the brook."""

from ..plan import Plan, Road, Thing

PLAN = Plan(
    number=4, name="Gnome Leap", theme="mushroom wood", clean=0.75,
    roads=(
        Road(((264, 172), (196, 182, 50), (116, 170, 50), (42, 178, 30), (38, 108, 28), (124, 106)), width=20),
        Road(((148, 105), (256, 104, 30), (262, 38, 28), (190, 34, 50), (120, 48, 50), (38, 40)), width=20),
    ),
    jumps=("stars",),
    cuts=((150, 175), (39, 140), (190, 104), (180, 36)),
    checkpoints=((186, 180), (40, 126), (260, 70)),
    finish=(52, 42),
    sign=(226, 142),
    things=(
        Thing("brook", 136, 105.5), Thing("house", 172, 71, 0.9), Thing("swing_tree", 104, 137.5, 0.9),
        Thing("gnome", 196, 76),
        Thing("fairy_ring", 150, 140), Thing("owl", 72, 76),
    ),
)  # fmt: skip
