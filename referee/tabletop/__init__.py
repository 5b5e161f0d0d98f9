"""What the games beside the races have in common, whatever their rules: how they go wrong, logs, words of a command.

`faults` are the ways a game goes wrong, `log` the checked lines of a log, `texts` files that somebody named, `command`
what all their words on the command line take and say.  Every sentence is a game's own: its ``say`` is passed in.
"""
