"""Draws the built-in stages: a course of corner points becomes road, lines and zones, a kit of scenery the rest.

``python -m stage_masks.drawing`` writes every stage beside this folder, the same bytes every time;
``python -m stage_masks.drawing 5 13`` only those.

To add a stage, write ``stages/stage_07.py`` with a `plan.Plan` (see the others), draw it, look at it, and run
``referee check``.  To add a theme, write a kit and name it in `kits`.

- `plan`: what a stage's file says.  `curves`: corner points and radii -> a smooth middle of the road.
- `layout`: lanes, sections, bridges; where a place of the plan lies along the course.
- `markings`: what is painted on the road.  `kits`, `scenery`: what is beside it, and where it finds room.
- `board`: all of it as one SVG.  `markers`, `tape`, `lettering`, `svg`: the small parts.
"""
