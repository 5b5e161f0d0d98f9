"""Stage 16, the finale: everything that the other stages have, on one board."""

from ..plan import Boost, Plan, Road, Spill, Thing

PLAN = Plan(
    number=16, name="Grand Finale", theme="night finale", clean=0.365,
    roads=(
        Road(((34, 172), (110, 180, 60), (190, 174, 60), (260, 180, 27), (264, 110, 60), (260, 34, 26),
            (190, 36)), width=19),
        Road(((166, 36), (104, 34, 24), (104, 138, 22), (40, 140, 22), (40, 88, 22), (104, 86),
            (146, 88)), width=17),
        Road(((170, 89), (216, 90, 20), (214, 134, 20), (148, 132)), width=17),
    ),
    jumps=("stars", "waves"),
    cuts=((130, 178), (262, 130), (104, 56), (104, 116), (68, 88)),
    checkpoints=((126, 178), (226, 177), (72, 139), (215, 112)),
    boosts=(Boost((263, 150), (262, 76)),),
    spills=(Spill((168, 176), -4.0, 6),),
    pipes=(((66, 176), (114, 179)),),
    finish=(160, 132),
    above=(7,),
    sign=(60, 50),
    things=(
        Thing("big_wheel", 58, 19, 0.95), Thing("moon", 131.5, 126, 0.85), Thing("grandstand", 14, 172, 0.9),
        Thing("carousel", 14, 62, 1.1), Thing("lantern", 66, 112),
    ),
)  # fmt: skip
