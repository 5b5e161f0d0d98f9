"""It's Turbo Time, the toy shelf: tricks with 36 cards, and 16 toys that they bring into the carts.

A room of its own beside the racing games, of which it knows nothing.  Read it like the rulebook, in this order:

`toys`      the sixteen tiles.  `cards`: the 36 cards and their powers.  `settings`: what a table may play otherwise
`position`  everything that lies on the table, frozen, and a line of text for it
`moves`     what people do, and a line of text for each
`game`      I1 and I6: set-up, whose turn it is, what may follow what: a table
`tricks`    I2 and I3: playing, taking, Turbo Time.  `powers`: I4.  `refill`: the drawing of I3.  `scoring`: I5
`seen`      what one player may know of a position
`log`       a game as text that replays, and that is refused where somebody changed it

Positions and moves go in, new positions come out.  Nothing of that reads a clock or a file or rolls dice: a shuffle is
an order that is passed in, or a seed.  Around it: `markers` (which toy or card a marker names), `art` and `sheets`
(what is printed), `camera` (what a photo shows), `words` (English and French), `telling`, `cli`.  What it has in common
with other games is in `referee.tabletop`.
"""
