"""How fast and how small gradviz is, beside other tracers: one file per question, all answered by ``make bench``."""
