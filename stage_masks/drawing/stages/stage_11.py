"""Stage 11, two jumps: one across the gap ahead, one back over the car's own shoulder."""

from ..plan import Plan, Road, Thing

PLAN = Plan(
    number=11, name="Cloud Hopper", theme="sky", clean=0.765,
    roads=(
        Road(((33, 174), (110, 181, 60), (220, 176, 34), (236, 120)), width=20),
        Road(((242, 98), (258, 42, 30), (180, 46, 60), (92, 40)), width=20),
        Road(((198, 88), (120, 95, 60), (42, 84, 25), (42, 140, 25), (110, 136, 60), (184, 141)), width=20),
    ),
    jumps=("dots", "zigzag"),
    cuts=((120, 180), (180, 46), (70, 92)),
    checkpoints=((165, 178), (238, 48), (130, 96), (48, 112)),
    finish=(170, 140),
    sign=(262, 152),
    things=(
        Thing("island", 213, 73, 0.78), Thing("whale", 270, 116, 0.9), Thing("sun", 62, 40),
        Thing("rainbow", 16, 120, 0.9),
        Thing("castle", 252, 187, 0.9), Thing("airship", 152, 18, 0.8),
    ),
)  # fmt: skip
