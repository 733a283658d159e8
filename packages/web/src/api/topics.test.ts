import { expect, test } from "vitest";
import { keysOfTopic } from "./topics.ts";

test("a changed project makes its own reads stale, and the lists it is in", () => {
  expect(keysOfTopic("project:prj_1")).toContainEqual(["project", "prj_1"]);
  expect(keysOfTopic("project:prj_1")).toContainEqual(["projects"]);
});

test("a change in one part of a project leaves the reads of the others alone", () => {
  expect(keysOfTopic("project:prj_1", "skills")).toEqual([
    ["skills", "prj_1"],
    ["resolved", "prj_1"],
  ]);
  expect(keysOfTopic("project:prj_1", "a-newer-part")).toEqual(keysOfTopic("project:prj_1"));
});

test("a topic of a newer service changes nothing", () => {
  expect(keysOfTopic("unheard:of")).toEqual([]);
  expect(keysOfTopic("constructor:x")).toEqual([]);
});
