// The properties that a search knows, as the help panel lists them: what to write, and what that finds.

export const PROPERTIES: readonly (readonly [string, string])[] = [
  ["leaf", "leaves: tensors at which gradients are accumulated"],
  ["parameter", "parameters"],
  ["frozen", "leaves with requires_grad=False"],
  ["unreached", "parameters that require grad, but that the graph does not reach"],
  ["untrained", "what gets no gradient of its own: frozen or unreached"],
  ["shared", "leaves that several operations use"],
  ["root", "the traced outputs"],
  ["hook", "what a hook is registered on"],
  ["dead-end", "operations with an argument that gets no gradient"],
  ["custom", "custom functions; also: view, in-place, checkpoint, compiled, remote"],
  ["op:mul", "the operation's name"],
  ["name:weight", "a leaf's name or alias"],
  ["module:encoder.0", "the module that made it"],
  ["shape:(3,", "a shape"],
  ["dtype:float16", "a dtype"],
  ["device:cuda", "a device"],
  ["hook:clip", "the function of a hook, its owner or its file"],
  ["where:train.py", "the source line, where it is known"],
  ["saved>1MB", "holds more for backward (or less: <); units B, kB, MB, GB"],
  ["order>100", "runs after the 100th node of the backward (or before: <)"],
];
