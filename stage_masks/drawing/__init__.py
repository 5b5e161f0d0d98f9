"""Draws the built-in stages: a course of corner points becomes road, lines and zones, a kit of scenery the rest.

``python -m stage_masks.drawing`` writes every stage beside this folder, the same bytes every time.
"""
