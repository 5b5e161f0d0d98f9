"""The stages, one file each."""

from .stage_01 import PLAN as STAGE_01
from .stage_05 import PLAN as STAGE_05
from .stage_11 import PLAN as STAGE_11
from .stage_13 import PLAN as STAGE_13

PLANS = (STAGE_01, STAGE_05, STAGE_11, STAGE_13)
