"""Simulated races whose truth is known: a blindfolded hand, its ink, its photographs.

The truth comes from what the hand was told to do, measured with this folder's own geometry.  Nothing here uses
``referee.geometry``, ``referee.stroke`` or ``referee.rules``: it is the yardstick that those rooms are held against.
"""
