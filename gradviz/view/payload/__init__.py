"""Payload: a Graph and its fold tree in one compact, compressed form, for the viewer in the browser.

One JSON object, compressed by zlib. ``frontend/src/payload.ts`` reads it; ``VERSION`` is raised by any change that an
older reader would misunderstand, and the files in ``tests/view/golden`` hold both sides to it. Sections:

- ``title``, ``notes``, ``full`` (the graph is small: nothing was folded), ``looks`` (colours and shapes by role);
- ``strings`` and ``lists``: every text and every list of places, once; a *text* or *list* elsewhere is a place there;
- ``metas``, ``hooks``, ``arguments``, ``saved``: records that nodes share; ``storages``: of every saved tensor;
- ``nodes``, ``edges``, ``dead_ends``, ``leaves``, ``roots``, ``modules``, ``module_hooks``: the Graph;
- ``backward``: what one run of the engine did, where the graph was watched: ``gradviz.view.payload.watched``;
- ``tape``: the node at each position; ``items``: the fold tree, with the label of every box that can be drawn; and
  ``members``: the nodes, leaves and dead ends of the boxes beside operations, so many for each as ``items`` says.

Columns are written as ``gradviz.view.payload.columns`` says. Labels are those of the static picture, so that both show
the same; the viewer works out only what depends on what is open: which boxes there are, and the arrows between them.
"""

from gradviz.view.payload.encode import VERSION, Payload, encode

__all__ = ["VERSION", "Payload", "encode"]
