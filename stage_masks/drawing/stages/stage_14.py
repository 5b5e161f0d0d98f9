"""Stage 14, a ring in the sky: oil on the way up, a jump along the top, in to the middle."""

from ..plan import Plan, Road, Spill, Thing

PLAN = Plan(
    number=14, name="Rainbow Ring", theme="sky", clean=0.54,
    roads=(
        Road(((176, 180), (110, 174, 60), (40, 182, 36), (38, 110, 60), (42, 34, 36), (128, 38)), width=20),
        Road(((154, 39), (200, 34, 60), (262, 40, 34), (256, 112, 30), (180, 104, 60), (100, 110)), width=20),
    ),
    jumps=("dots",),
    cuts=((90, 177), (38, 140), (200, 35), (258, 90)),
    checkpoints=((110, 175), (76, 36), (258, 70)),
    spills=(Spill((38, 112), 4.5, 6.5),),
    finish=(114, 109),
    sign=(226, 158),
    things=(
        Thing("rainbow", 152, 69), Thing("castle", 80, 80, 0.9), Thing("whale", 122, 142, 1.05),
        Thing("island", 190, 146),
        Thing("airship", 238, 190, 0.9), Thing("sun", 212, 74, 0.8),
    ),
)  # fmt: skip
