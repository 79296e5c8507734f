"""Graphviz's SVG -> the SVG that gradviz gives: the same drawing, fit for pages, for screen readers and for any font.

Works on the parsed document. Tooltips become ``<title>``, the links that carried them go, and so do Graphviz's names;
the drawing shrinks to the page that it stands in; labels of boxes are centred where Graphviz only measured where they
begin, so that they stay inside with other fonts than its own.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

_SVG = "{http://www.w3.org/2000/svg}"
_TIP = "{http://www.w3.org/1999/xlink}title"
_SHAPES = ("polygon", "path", "ellipse")
_NUMBER = re.compile(r"-?[0-9.]+")


def polish(svg: bytes, title: str, description: str) -> str:
    """The finished SVG document; its title and description are read out to those who cannot see it."""
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        # Unqualified names with an xmlns attribute: ElementTree's own way to a default namespace is a global table.
        element.tag = element.tag.removeprefix(_SVG)
    for group in list(root.iter("g")):
        _retitle(group)
        if "node" in group.get("class", "").split():
            _centre(group)
    root.set("xmlns", _SVG.strip("{}"))
    root.set("role", "img")
    root.set("style", "max-width:100%;height:auto")
    for position, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = Element(tag)
        element.text = text
        root.insert(position, element)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _retitle(group: Element) -> None:
    """Replace Graphviz's name of a thing by its tooltip, and free the drawing from the link around it."""
    tip = ""
    children: list[Element] = []
    pending = list(reversed(group))
    while pending:
        child = pending.pop()
        if child.tag == "a":
            tip = tip or child.get(_TIP, "")
        if child.tag == "a" or child.get("id", "").startswith("a_"):
            pending += reversed(child)
        elif child.tag != "title":
            children.append(child)
    if tip:
        title = Element("title")
        title.text = tip
        children.insert(0, title)
    group[:] = children


def _centre(node: Element) -> None:
    """Anchor each text of a box in the middle of the shape that was drawn last before it: the box, or a badge."""
    middle = None
    for child in node:
        if child.tag in _SHAPES:
            middle = _middle(child)
        elif child.tag == "text" and child.get("text-anchor") == "start" and middle is not None:
            child.set("text-anchor", "middle")
            child.set("x", f"{middle:.2f}")


def _middle(shape: Element) -> float:
    if shape.tag == "ellipse":
        return float(shape.get("cx", "0"))
    across = [float(x) for x in _NUMBER.findall(shape.get("points") or shape.get("d") or "0")[::2]]
    return (min(across) + max(across)) / 2
