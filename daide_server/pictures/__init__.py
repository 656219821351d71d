"""Pictures of a map with units and orders, as SVG text.

A `Picture` (`picture`) is the geometry of a map: faces, arcs, and where units and
names stand. It is data from `maps/pictures/`, or `schematic` computes one of discs and
lines. A `Scene` (`scene`) is what to draw on it: a position and reports of orders.

`drawing.draw` returns the SVG of a scene. It stacks these layers, bottom first:
`map_layer` (with `links`), the orders of `order_layer`, the names, units, the marks
of `order_layer`, and a legend beside the map. They share `palette`, and the
elements, units and strokes in `shapes`.

Nothing here reads files or knows the rules of the game. Coordinates are in the units
of the picture, x to the right and y down.
"""
