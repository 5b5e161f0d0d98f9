"""The printable set: sixteen toys, 36 cards and their backs, drawn by code, in millimetres.

`pencil` draws shapes; words are set in the plain fonts that every PDF knows.  `heroes`, `imps`, `pals` and `treats`
are the toys, `tiles` and `cards` put them on pieces of paper, `patch` adds the markers, `ink` writes a drawing as SVG
or on a page of a PDF.
"""
