"""Stage 5, a loop over itself: under the bridge, a boost along the top, back over the bridge."""

from ..plan import Boost, Plan, Road, Thing

PLAN = Plan(
    number=5, name="Bakery Bridge", theme="city", clean=0.715,
    roads=(Road((
        (34, 168), (110, 178, 60), (206, 172, 34), (199, 108), (206, 38, 30), (130, 32, 80), (40, 42, 30),
        (46, 112, 30), (110, 98, 70), (199, 108, 200), (264, 102, 30), (262, 176),
    ), width=20),),
    cuts=((150, 175), (203, 70), (95, 37), (60, 105), (160, 103), (240, 105)),
    checkpoints=((90, 175), (204, 62), (43, 76), (250, 104)),
    boosts=(Boost((166, 35), (78, 38)),),
    finish=(262, 162),
    above=(6,),
    sign=(238, 44),
    things=(
        Thing("bakery", 120, 68), Thing("clock_tower", 166, 68), Thing("fountain", 90, 138), Thing("bus", 152, 140),
        Thing("town_house", 76, 70), Thing("crossing", 232, 138), Thing("tower", 272, 74),
    ),
)  # fmt: skip
