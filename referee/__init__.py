"""The camera referee for dry-erase races: `judge` a photo of a raced board.

>>> import referee
>>> referee.__version__
'0.1.0'
"""

__version__ = "0.1.0"
