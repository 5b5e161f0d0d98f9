"""How far the referee can be trusted: photos whose truth is known, judged, and held against it."""
