import { expect, test } from "vitest";
import { draftOf, filesOf, newDraft, outlineOf, withPicked } from "./skill-draft.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const skill = "---\nname: greet\ndescription: Greets\n---\nSay hello, ünïcode too.";

test("what is saved reads back as it was written", () => {
  const draft = { source: skill, files: { "ref/a.bin": "AP8H" } };
  expect(draftOf(filesOf(draft))).toEqual(draft);
});

test("a check sends the names of supporting files, not what is in them", () => {
  expect(outlineOf({ source: skill, files: { "big.txt": "eHh4" } })["big.txt"]).toBe("");
});

test("a picked skill replaces the draft, whatever its file is called", () => {
  expect(withPicked(newDraft, new Map([["greet.md", bytes(skill)]]))).toEqual({
    source: skill,
    files: {},
  });
  const folder = new Map([
    ["SKILL.md", bytes(skill)],
    ["ref.md", bytes("r")],
  ]);
  const replaced = withPicked({ source: "old", files: { "gone.md": "" } }, folder);
  expect([replaced.source, Object.keys(replaced.files)]).toEqual([skill, ["ref.md"]]);
});

test("picked files without a SKILL.md are laid beside the draft", () => {
  const draft = withPicked({ source: skill, files: {} }, new Map([["notes.md", bytes("plain")]]));
  expect([draft.source, Object.keys(draft.files)]).toEqual([skill, ["notes.md"]]);
});
