import assert from "node:assert/strict";
import test from "node:test";
import { gather, ownedBy } from "../../src/gathered.ts";
import { kept } from "../../src/kept.ts";

test("numbers are gathered by their owners, in order; who has none has none", () => {
  const gathered = gather(4, Int32Array.of(2, 0, 2, 3, 2));
  assert.deepEqual([...gathered.start], [0, 1, 1, 4, 5]);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 9, -1].map((owner) => [...ownedBy(gathered, owner)]),
    [[1], [], [0, 2, 4], [3], [], [], []],
  );
});

test("what is kept is worked out once for each thing", () => {
  const asked: string[] = [];
  const lengths = kept(({ name }: { name: string }) => {
    asked.push(name);
    return [name.length];
  });
  const [one, other] = [{ name: "a" }, { name: "bcd" }];
  assert.deepEqual([lengths(one), lengths(other), lengths(one)], [[1], [3], [1]]);
  assert.deepEqual(asked, ["a", "bcd"]);
});
