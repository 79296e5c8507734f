"""How far an arrow out of a frame must reach, so that the next frame begins below all that hangs in this one.

Without it dot puts the next frame beside the leaves of the last operation, always to the same side, and a plain chain
of modules becomes a staircase: ResNet-18 in full was 5,900 points wide, and is 1,300.
"""

from __future__ import annotations

from gradviz.view.scene import Scene


def reaches(scene: Scene) -> list[int]:
    """For every arrow the least number of ranks that it must span."""
    home = {box.key: box.group for box in scene.boxes}
    parent = {group.key: group.parent for group in scene.groups}
    depth = _hanging(scene, home)

    def leaves_frame(source: str, target: str) -> bool:
        frame = home[target]
        while frame is not None and frame != home[source]:
            frame = parent[frame]
        return frame != home[source]

    return [
        1 + depth[arrow.source] if not arrow.again and leaves_frame(arrow.source, arrow.target) else 1
        for arrow in scene.arrows
    ]


def _hanging(scene: Scene, home: dict[str, str | None]) -> dict[str, int]:
    """How many ranks hang below each box: boxes of its frame from which no arrow leads out of the frame."""
    below: dict[str, list[str]] = {key: [] for key in home}
    above: dict[str, list[str]] = {key: [] for key in home}
    for arrow in scene.arrows:
        if not arrow.again:
            below[arrow.source].append(arrow.target)
            above[arrow.target].append(arrow.source)
    left = {key: len(targets) for key, targets in below.items()}
    ready = [key for key, count in left.items() if not count]
    depth = dict.fromkeys(home, 0)
    hangs = dict.fromkeys(home, False)
    for key in ready:  # grows while it is read: every box after all that it points to
        hangs[key] = all(home[target] == home[key] and hangs[target] for target in below[key])
        depth[key] = max((1 + depth[t] for t in below[key] if home[t] == home[key] and hangs[t]), default=0)
        for source in above[key]:
            left[source] -= 1
            if not left[source]:
                ready.append(source)
    return depth
