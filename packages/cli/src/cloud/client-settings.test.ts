import { expect, test } from "vitest";
import { readSettings } from "./client-settings.ts";

test("a value is read by its field's type", () => {
  expect(
    readSettings(
      [
        'systemPrompt="x"=y',
        "modelId=7",
        "temperature=0.2",
        "requireToolApproval=true",
        'mcpProfile={"a":1}',
        'builtInToolIds=["b"]',
      ],
      ["harness"],
    ),
  ).toEqual({
    systemPrompt: '"x"=y',
    modelId: "7",
    temperature: 0.2,
    requireToolApproval: true,
    mcpProfile: { a: 1 },
    builtInToolIds: ["b"],
    harness: null,
  });
});

test.each([
  ["a text for a number", ['temperature="x"'], [], "temperature takes a number"],
  ["nothing for a number", ["temperature="], [], "temperature takes a number"],
  ["a number beyond all doubles", ["temperature=1e400"], [], "a number that a double can hold"],
  ["one below them all", ["temperature=-1e400"], [], "a number that a double can hold"],
  ["one inside an object", ['mcpProfile={"a":[1e400]}'], [], "numbers that a double can hold"],
  ["one inside a list", ["builtInToolIds=[-1e400]"], [], "numbers that a double can hold"],
  ["a loose word for yes or no", ["requireToolApproval=yes"], [], "true or false"],
  ["a list for an object", ["mcpProfile=[]"], [], "a JSON object"],
  ["an object for a list", ["builtInToolIds={}"], [], "a JSON array"],
  ["a field nobody knows", ["serverIds=[]"], [], 'does not know "serverIds"'],
  ["a field of every object", ["toString=x"], [], "does not know"],
  ["no value", ["temperature"], [], "field=value"],
  ["the model taken away", [], ["modelId"], "cannot be unset"],
  ["the same field both ways", ["temperature=1"], ["temperature"], "both set and unset"],
  ["the same field twice", ["temperature=1", "temperature=2"], [], "twice"],
])("%s is a usage error", (_what, set, unset, message) => {
  expect(() => readSettings(set, unset)).toThrow(message);
});
