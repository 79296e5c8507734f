"""Stage 3: shows results. Knows nothing of torch; what is shown is decided in the scene, how it looks in the theme.

    Graph─read_tape ─► Tape─fold_tree ─► Part─choose ─► Choice─place ─► Placing─bundle ─► Bundles─labels ─► Scene
    Scene─dot ─► DOT─layout ─► Page─engine, svg ─► Picture; Scene─text ─► text
    Graph─read_tape, choose, list_items, labels ─► Payload ─► the viewer in a browser: widget (View), page (OfflinePage)

``folding`` decides what is drawn as one box, ``labels`` what each box says; ``compose`` joins them for a static
picture. A payload holds all boxes that there can be, and the viewer (``frontend/``) composes those that are open.
"""
