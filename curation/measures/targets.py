"""How many queries a cell needs before its figure may be used."""

# Wilson 95 % half-widths at a recall near 0.78: 0.15 at 30 screens, 0.08 at 100 gates, 0.04 at 400 compares two runs.
COUNT_TARGETS = {"screen": 30, "gate": 100, "compare": 400}
