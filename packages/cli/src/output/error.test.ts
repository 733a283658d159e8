import { expect, test } from "vitest";
import { CliError, toCliError, usageError } from "../cli-error.ts";
import { errorEnvelope, errorText } from "./error.ts";
import { render } from "./text.ts";

const shown = (error: CliError) => render(errorText(error), { colour: false });

test("a failure is a code, a message and details only where there are some", () => {
  expect(errorEnvelope(usageError("No."))).toEqual({ error: { code: "USAGE_ERROR", message: "No." } });
  expect(errorEnvelope(new CliError("CONFLICT", "Stale.", { details: { revision: 3 } }))).toEqual({
    error: { code: "CONFLICT", message: "Stale.", details: { revision: 3 } },
  });
});

test("a script gets the hint, what could have been meant and the next command", () => {
  const next = { nextCommand: "fettle tools list --url 'http://h/?access_token=canary'" };
  const error = usageError("No tool.", { hint: "Did you mean search?", choices: ["search", "buy"], ...next });
  expect(errorEnvelope(error).error).toEqual({
    code: "USAGE_ERROR",
    message: "No tool.",
    hint: "Did you mean search?",
    choices: ["search", "buy"],
    nextCommand: expect.not.stringContaining("canary"),
  });
});

test.each([
  ["the command a hint names", "Run `fettle cloud login` again.", "fettle cloud login"],
  ["not one with a place to fill in", "Run `fettle cloud link <project>`.", undefined],
])("the next command is %s", (_, hint, nextCommand) => {
  expect(errorEnvelope(usageError("No.", { hint })).error.nextCommand).toBe(nextCommand);
});

test("people read the next command once", () => {
  const shownWith = (hint: string) => shown(usageError("No.", { hint, nextCommand: "fettle serve" }));
  expect(shownWith("Start one")).toContain("→ Start one: fettle serve");
  expect(shownWith("Try `fettle serve`.")).toContain("→ Try `fettle serve`.");
});

test("people read a hint of the service's once", () => {
  const hint = "Install podman.";
  const refusal = Object.assign(new Error("No engine."), {
    name: "ApiError",
    code: "FEATURE_NOT_SUPPORTED",
    details: { reason: "no_sandbox_engine", hint },
  });
  expect(shown(toCliError(refusal)).split(hint)).toHaveLength(2);
  const alone = new CliError("CONFLICT", "No.", { details: { hint } });
  expect(shown(alone)).toContain(`hint: ${hint}`);
});

test("people get a sentence, the plain details and what to do", () => {
  const error = new CliError("NOT_FOUND", "Several projects.", {
    details: { ids: ["a", "b"], deep: {} },
    hint: "Use an id.",
  });
  expect(shown(error)).toBe("✗ Several projects. (NOT_FOUND)\n  ids: a, b\n  → Use an id.");
});

test("no credential is said back, and no escape of a server acts", () => {
  const error = new CliError("INTERNAL_ERROR", "at https://u:canary@h/?access_token=canary \u001b[2J", {
    details: { authorization: "Bearer canary" },
  });
  expect(JSON.stringify(errorEnvelope(error))).not.toContain("canary");
  expect(shown(error)).not.toContain("canary");
  expect(shown(error)).toContain("␛[2J");
});

test.each([
  [new Error("the operation timed out"), "TIMEOUT"],
  [new Error("connect ECONNREFUSED 127.0.0.1:1"), "SERVER_UNREACHABLE"],
  [
    new TypeError("fetch failed", { cause: new AggregateError([new Error("connect ECONNREFUSED ::1:1")]) }),
    "SERVER_UNREACHABLE",
  ],
  [new Error("cannot read properties of undefined"), "INTERNAL_ERROR"],
  ["a string", "INTERNAL_ERROR"],
])("%s is named %s", (thrown, code) => {
  expect(toCliError(thrown)).toMatchObject({ code, exitCode: 1 });
});
