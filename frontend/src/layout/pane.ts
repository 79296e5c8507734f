// One group by itself, as the layout sees it: a *pane* of nodes and edges. An open group in it is one big node; where an
// arrow crosses the frame of the pane, it passes a *port*, a node without extent on the frame's top or bottom edge.

export const BOX = 0; // also an open group
export const ENTRY = 1; // a port on the top edge
export const EXIT = 2; // a port on the bottom edge
export const PILL = 3; // where a long arrow is cut

export const TITLE_BAR = 26;
export const MARGIN = 14; // between a frame and what lies in it
export const ROW_GAP = 26;
export const NODE_GAP = 14;
export const EDGE_GAP = 8;
export const LABEL_BAND = 20; // above boxes: a label and the arrow head below it
export const FAN = 26; // below labels that reach over both ends of their box: lines run together there
export const CORNER = 8; // of a box, where no line ends

/** What is to be laid out. Nodes and edges are numbers; a list has a value for each. */
export interface Pane {
  readonly kind: Uint8Array;
  readonly width: Float64Array;
  readonly height: Float64Array;
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** Where an edge leaves and arrives, counted from the middle of the node; NaN where the layout may choose. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** How much an edge wants to be straight: 2 on a longest way from root to leaf, 1 on the longest way on, else 0. */
  readonly weight: Uint8Array;
  /** Width of the label at its target, 0 for none. */
  readonly label: Float64Array;
  /** Least width of the frame; -1 for the top pane, which has none. */
  readonly title: number;
  /** How far the text of its title reaches from the left end of the frame, 0 for none. */
  readonly text: number;
  /** From left to right, in which order the ports should be if nothing else decides; NaN for all other nodes. */
  readonly wish: Float64Array;
}

/** Where everything lies, counted from the top left corner of the frame. */
export interface Arranged {
  readonly width: number;
  readonly height: number;
  /** Centres of the nodes. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Points of the edges, flat; where those of each edge start (counted in points), and the end. */
  readonly points: Float64Array;
  readonly start: Int32Array;
  /** Centres of the labels, flat; NaN where an edge has none. */
  readonly labels: Float64Array;
  readonly crossings: number;
}
