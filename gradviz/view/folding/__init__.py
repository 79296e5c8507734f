"""What is drawn as one box: modules, repeats, sections and chains of views, and which of them are open.

- *tape*: the operations in the order in which backward runs them; a *position* is a place on it.
- *part*: a stretch of the tape that can be drawn as one box, or opened into a frame around its children.
- *round*: one of the equal stretches of a *repeat*. *Section*: a stretch that neither modules nor repeats shorten.
- *ghost*: a parameter of the model that the graph does not reach.
- *token*: a number that is equal for equal operations or parts.
- *choice*: which parts are open.
"""
