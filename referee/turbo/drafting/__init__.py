"""The generator of the built-in circuit: ``python -m referee.turbo.drafting`` writes its file anew, to the byte.

`layout` reckons sections, squares, links and lines; `turbo` says what this circuit is; `drawing` draws it.
"""
