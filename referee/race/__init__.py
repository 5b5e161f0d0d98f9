"""The state of play behind the page: who drives what, whose clock runs, who won and why.

Read it like a rulebook, in this order: `clock` (time that survives everything), `drive` (one stage driven once by one
driver), `challenge` (one team against a target, R13), `book` (the challenges that a family has won), `match` (two
teams against each other, R12).  Everything is a frozen value; an event and an `Instant` go in, a new value comes out.
Nothing here reads a clock, a file or a picture: who does is the service.
"""
