// A hook, as a graph and a recorded backward tell of it.

export interface Hook {
  readonly kind: string;
  readonly owner: string;
  readonly name: string;
  readonly where: string | null;
}
