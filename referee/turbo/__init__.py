"""Turbo, the circuit race with two counters: four cars, sixteen obstacles, an ambulance, and one way round.

A room of its own beside the other games, of which it knows nothing.  Read it like the rulebook, in this order:

`circuit`       squares, the links between them, yellow lines, the finish: frozen, and checked once (`soundness`)
`steps`         T4 to T8: one step, and the rule that forbids it: a table
`moves`         whole moves: every end and every way for a number, and what is wrong with another
`deeds`         what people do, and a line of text for each
`position`      everything that stands on the circuit, frozen, and a line of text for it
`turn`          T2 and T3: both halves of a turn
`race`          T1, T9 and T10: set-up, whose turn it is, the end
`championship`  T11
`log`           a race as text that replays, and that is refused where somebody changed it

Positions and deeds go in, new positions come out.  Nothing of that reads a clock or a file or rolls dice: what the
counters show is passed in.  Around it: `load` (circuit files), `drafting` (the generator of the built-in circuit),
`markers`, `sheets` (what is printed), `words` (English and French), `cli`.
"""
