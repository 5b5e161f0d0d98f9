"""Stage 10, two jumps in a row, up and over the sky."""

from ..plan import Plan, Road, Thing

PLAN = Plan(
    number=10, name="Double Hop", theme="sky", clean=0.72,
    roads=(
        Road(((262, 170), (190, 182, 60), (110, 172, 60), (38, 178, 26), (42, 119, 26), (93, 105)), width=18),
        Road(((116, 98), (185, 78)), width=18),
        Road(((208, 71), (260, 56, 25), (264, 136)), width=18),
    ),
    jumps=("waves", "stripes"),
    cuts=((150, 177), (39, 150), (262, 100)),
    checkpoints=((200, 180), (64, 176), (232, 64)),
    finish=(264, 122),
    sign=(96, 52),
    things=(
        Thing("sun", 44, 62, 1.1), Thing("airship", 160, 34, 1.1), Thing("whale", 160, 134, 1.15),
        Thing("island", 110, 128),
        Thing("castle", 214, 116), Thing("rainbow", 130, 68),
    ),
)  # fmt: skip
