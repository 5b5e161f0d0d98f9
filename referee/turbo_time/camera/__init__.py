"""What a photo shows of the game: the turned-up carts of its end, or the played cards of a trick.

`pieces`    the toys and cards in the picture: which, and where on the table, in millimetres
`rows`      which toys lie in a row, and how a row is read
`unread`    what looks like a toy, or lies where one should, and was not read
`carts`     the carts, and what has to be asked before their points are certain
`trick`     the played cards, and what has to be asked before their order is

Nothing here guesses: how many play is asked if nobody says it, and toys or cards that are not all there are.
"""
