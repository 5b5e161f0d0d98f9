"""Stage 15, a loop round itself: oil before it, a bridge over it, oil behind it."""

from ..plan import Plan, Road, Spill, Thing

PLAN = Plan(
    number=15, name="Slippery Loop", theme="sewer", clean=0.615,
    roads=(Road((
        (38, 42), (106, 36, 28), (108, 130, 28), (180, 124), (260, 130, 32), (262, 36, 32), (184, 34, 32),
        (180, 126), (178, 184, 24),
        (110, 180, 60), (42, 184, 28), (38, 100),
    ), width=22),),
    cuts=((107, 60), (140, 127), (220, 127), (210, 35), (180, 152), (90, 182)),
    checkpoints=((86, 38), (235, 128), (224, 35), (148, 182)),
    spills=(Spill((107, 82), -5.2), Spill((106, 180), 5.2, 6)),
    finish=(39, 112),
    above=(5,),
    sign=(224, 166),
    things=(
        Thing("crocodile", 222, 80, 0.95), Thing("octopus", 144, 62, 1.15), Thing("ladder", 76, 84),
        Thing("trumpet_rat", 146, 92),
        Thing("outlet", 76, 124), Thing("duck_boat", 216, 190),
    ),
)  # fmt: skip
