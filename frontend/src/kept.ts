// What follows from a model, a graph or a scene: worked out when it is first asked for, and kept as long as that lives.

export function kept<Key extends object, Value extends object>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = work(key);
      known.set(key, value);
    }
    return value;
  };
}
