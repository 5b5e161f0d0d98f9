"""Stage 13, a spiral: oil on the way in, a pipe along the top, oil again before the finish."""

from ..plan import Plan, Road, Spill, Thing

PLAN = Plan(
    number=13, name="Croc Canal", theme="sewer", clean=0.495,
    roads=(Road((
        (34, 176), (110, 180, 60), (180, 172, 60), (262, 180, 34), (258, 110, 80), (264, 36, 34), (160, 44, 80),
        (40, 34, 34), (38, 122, 34), (100, 112, 60), (150, 118, 60), (212, 104),
    ), width=22),),
    cuts=((150, 175), (261, 120), (92, 38), (38, 75), (110, 113)),
    checkpoints=((205, 174), (261, 84), (60, 36), (50, 116)),
    spills=(Spill((120, 178), -4.5), Spill((140, 116), 4.5, 6)),
    pipes=(((215, 39), (110, 40)),),
    finish=(198, 107),
    sign=(226, 144),
    things=(
        Thing("crocodile", 120, 79, 1.15), Thing("ladder", 216, 76), Thing("octopus", 176, 84),
        Thing("trumpet_rat", 84, 84),
        Thing("duck_boat", 130, 149), Thing("slime", 66, 150),
    ),
)  # fmt: skip
