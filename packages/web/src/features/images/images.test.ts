import { expect, test } from "vitest";
import { lineOf, placeFaults } from "./blueprint-places.ts";
import { startingBlueprint } from "./starting-blueprint.ts";

const written = `# A comment
base: debian

initialize:
- name: first
  run: |
    initialize: not this
    # nor this
- run: second
  "name": second
maintenance:
  -
    name: third
knowledge: [{ name: in braces, contents: x }]
`;

test.each([
  ["base", 2],
  ["initialize", 4],
  ["initialize[0]", 5],
  ["initialize[0].run", 6],
  ["initialize[1].name", 10],
  ["maintenance[0].name", 13],
  // What is not there, or has no line of its own, is shown at what it belongs to.
  ["initialize[0].missing", 5],
  ["initialize[7].run", 4],
  ["knowledge[0].contents", 14],
  ["nothing.like.it", null],
])("%s is shown at line %s", (path, line) => {
  expect(lineOf(written, path)).toBe(line);
});

test("what is no YAML has its line in the message, and is shown there", () => {
  expect(
    placeFaults("base: [", [
      { path: "", message: "Line 1: Unexpected ]" },
      { path: "base", message: "Line 2: Flow sequence is not closed" },
      { path: "", message: "The blueprint is empty." },
      { path: "base", message: "This must be a text." },
    ]),
  ).toEqual([
    { path: "", message: "Unexpected ]", line: 1 },
    { path: "base", message: "Flow sequence is not closed", line: 2 },
    { path: "", message: "The blueprint is empty.", line: null },
    { path: "base", message: "This must be a text.", line: 1 },
  ]);
});

test("each part of the blueprint that a new image begins with is found at a line", () => {
  const lines = ["base", "initialize", "maintenance", "knowledge"].map((key) =>
    lineOf(startingBlueprint, key),
  );
  expect(lines).toEqual([2, 5, 10, 11]);
});
