"""Stage 7, up and down the playground: through the tunnel, over the sandpit."""

from ..plan import Plan, Road, Thing

PLAN = Plan(
    number=7, name="Hop and Hush", theme="park", clean=0.79,
    roads=(
        Road(((42, 174), (36, 100, 50), (44, 38, 29), (108, 36, 29), (106, 110, 50), (112, 178, 28),
            (170, 176, 28), (168, 110)), width=20),
        Road(((167, 86), (166, 36, 28), (252, 38, 30), (246, 110, 50), (254, 176)), width=20),
    ),
    jumps=("waves",),
    cuts=((38, 110), (107, 66), (110, 150), (210, 37)),
    checkpoints=((40, 74), (140, 177), (250, 62)),
    pipes=(((107, 68), (107, 130)),),
    finish=(252, 164),
    sign=(208, 122),
    things=(
        Thing("sandpit", 167.5, 98), Thing("ice_cart", 74, 112), Thing("picnic", 74, 152, 0.9),
        Thing("pond", 212, 166, 0.85),
        Thing("slide", 208, 84), Thing("oak", 138, 92), Thing("hopscotch", 138, 128),
        Thing("dog", 140, 56, flip=True),
    ),
)  # fmt: skip
