"""Stage 1, the first drive: a wide road once round the pond."""

from ..plan import Plan, Road, Thing

PLAN = Plan(
    number=1, name="Picnic Run", theme="park", clean=0.945,
    roads=(Road((
        (34, 172), (96, 182, 70), (160, 172, 70), (263, 180, 34), (263, 112, 30), (206, 104, 40),
        (152, 130, 40), (96, 116, 40), (38, 122, 32), (38, 38, 32), (110, 48, 60), (180, 36, 70), (268, 46),
    ), width=24),),
    cuts=((130, 177), (263, 140), (120, 122), (38, 95), (150, 42)),
    checkpoints=((235, 177), (175, 122), (44, 62)),
    finish=(252, 44),
    sign=(206, 142),
    things=(
        Thing("pond", 148, 84, 1.12), Thing("picnic", 90, 84), Thing("ice_cart", 224, 76),
        Thing("sandpit", 84, 149),
        Thing("dog", 126, 153), Thing("slide", 274, 72, flip=True),
        Thing("hopscotch", 12, 148), Thing("oak", 190, 74, 0.9),
    ),
)  # fmt: skip
