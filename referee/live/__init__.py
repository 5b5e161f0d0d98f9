"""Frames in time → a growing path → calls: what a photo cannot see, which is order, time, and lifts.

```
frame → board (where it lies) → flat → clean print, hand → ink over time → path in time → facts, rules → calls
```

`watch.Watch` is the way in: `look(frame_bgr, at_s)` gives a `sight.Sight`, `reports()` what came of it all.  It is pure
of clocks and threads: time comes in.  `source` opens cameras, files and addresses, `outer` holds threads and clocks.
The same rules judge a film and a photo; the last clear frame is judged as a photo beside it.
"""
