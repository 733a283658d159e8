import { describe, expect, test } from "vitest";
import { tree } from "../commands/index.ts";
import { parse } from "./parse.ts";
import { walk } from "./tree.ts";

function valuesOf(...argv: string[]) {
  const parsed = parse(tree, argv);
  if (parsed.kind !== "call") throw new Error(`expected a call, got ${parsed.kind}`);
  return parsed.values;
}

describe("global flags", () => {
  test.each([
    ["before the first word", ["--format", "human", "--quiet", "cloud", "status"]],
    ["between the words", ["cloud", "--format", "human", "--quiet", "status"]],
    ["after the last word", ["cloud", "status", "--format=human", "--quiet"]],
  ])("are accepted %s", (_, argv) => {
    expect(valuesOf(...argv)).toMatchObject({ format: "human", quiet: true, rpc: false, timeout: undefined });
  });

  test("typed twice, the one nearest to the end wins", () => {
    expect(valuesOf("--format", "human", "cloud", "status", "--format", "json").format).toBe("json");
  });
});

describe("credential flags", () => {
  test.each([
    ["on cloud", ["cloud", "--api-key", "sk_1", "status"]],
    ["on the last word", ["cloud", "status", "--api-key", "sk_1"]],
    ["on both, nearest last", ["cloud", "--api-key", "sk_0", "status", "--api-key", "sk_1"]],
  ])("are accepted %s", (_, argv) => {
    expect(valuesOf(...argv).apiKey).toBe("sk_1");
  });

  test("that repeat are kept in order from all words", () => {
    const values = valuesOf(
      "cloud",
      "--api-header",
      "A: 1",
      "status",
      "--api-header",
      "B: 2",
      "--api-header",
      "C: 3",
    );
    expect(values.apiHeader).toEqual(["A: 1", "B: 2", "C: 3"]);
  });

  test("are unknown outside of cloud", () => {
    expect(() => parse(tree, ["telemetry", "status", "--api-key", "sk_1"])).toThrow(
      "Unknown option '--api-key'",
    );
  });
});

test("a value that looks like a flag of another word stays a value", () => {
  expect(valuesOf("cloud", "status", "--project", "--quiet")).toMatchObject({
    project: "--quiet",
    quiet: false,
  });
});

test.each([
  ["an unknown command", ["clod"], "Unknown command 'clod'. Did you mean cloud?"],
  [
    "an unknown command asked for help",
    ["cloud", "projcts", "--help"],
    "Unknown command 'projcts'. Did you mean",
  ],
  ["an unknown option", ["cloud", "status", "--formt"], "Unknown option '--formt'. Did you mean --format?"],
  ["a missing value", ["cloud", "status", "--project"], "Option '--project <value>' argument missing."],
  ["a missing argument", ["completion"], "Missing required argument 'shell'."],
  ["one argument too many", ["cloud", "status", "x"], "Too many arguments"],
  ["a blank value", ["cloud", "status", "--project", " "], "--project must not be blank."],
  [
    "no number",
    ["cloud", "status", "--timeout", "1s"],
    '--timeout takes a whole number from 1 to 86400000, not "1s".',
  ],
  [
    "zero",
    ["cloud", "status", "--timeout", "0"],
    '--timeout takes a whole number from 1 to 86400000, not "0".',
  ],
  ["an unknown format", ["--format", "xml", "cloud", "status"], '--format is one of json, human, not "xml".'],
  ["a report as format", ["--format", "junit-xml", "cloud", "status"], "use --reporter junit-xml"],
])("%s is a usage error", (_, argv, message) => {
  expect(() => parse(tree, argv)).toThrow(expect.objectContaining({ code: "USAGE_ERROR", exitCode: 2 }));
  expect(() => parse(tree, argv)).toThrow(message);
});

test.each([
  ["a command", ["cloud", "projcts"], ["projects"]],
  ["a command, although help is asked for", ["cloud", "projcts", "--help"], ["projects"]],
  ["a command below one that does something itself", ["cloud", "projects", "servers", "lst", "-h"], ["list"]],
  ["a flag", ["cloud", "status", "--formt"], ["--format"]],
  ["a flag's value", ["--format", "jsn", "cloud", "status"], ["json"]],
])("%s that does not exist is answered with near ones", (_, argv, [near]) => {
  expect(() => parse(tree, argv)).toThrow(
    expect.objectContaining({ exitCode: 2, choices: expect.arrayContaining([near]) }),
  );
});

test.each<[string, string[], ...string[]]>([
  ["below the next word", ["tunnel"], "fettle cloud tunnel"],
  [
    "below two words",
    ["cloud", "servers", "list"],
    "fettle cloud projects servers",
    "fettle cloud clients servers",
  ],
  ["below the next word, mistyped", ["whoam"], "fettle cloud whoami"],
  ["beside the word above", ["cloud", "projects", "login"], "fettle cloud login"],
  ["at the top", ["cloud", "tools"], "fettle tools"],
  ["below a neighbour", ["cloud", "doctor"], "fettle server doctor"],
])("a command that stands %s is pointed to", (_, argv, ...lines) => {
  expect(() => parse(tree, argv)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(`Did you mean ${lines.map((line) => `\`${line}\``).join(" or ")}?`),
      choices: expect.arrayContaining(lines.map((line) => line.replace("fettle ", ""))),
    }),
  );
});

test("every command whose name no other has is pointed to where the word above it was left out", () => {
  const nodes = [...walk(tree)].filter(({ path }) => path.length > 1);
  const named = (word: string) => nodes.filter((node) => node.word === word).length;
  const lost = nodes.filter(({ path, word }) => {
    if (named(word) > 1) return false;
    const typed = [...path.slice(0, -2), word];
    try {
      return parse(tree, [...typed, "--help"]).kind !== "help";
    } catch (error) {
      return !(error instanceof Error && error.message.includes(path.join(" ")));
    }
  });
  expect(lost.map(({ path }) => path.join(" "))).toEqual([]);
});

test.each([...walk(tree)].map((node) => [node.path]))("help is reached for %j", (path) => {
  for (const flag of ["--help", "-h"]) {
    expect(parse(tree, [...path, flag])).toMatchObject({ kind: "help", node: { path } });
  }
});

test.each([[[]], [["cloud"]], [["cloud", "status"]]])("the version is reached after %j", (path) => {
  for (const flag of ["--version", "-v"]) expect(parse(tree, [...path, flag])).toEqual({ kind: "version" });
});

test("a group without a command shows its help", () => {
  expect(parse(tree, ["cloud", "--quiet"])).toMatchObject({ kind: "help", node: { path: ["cloud"] } });
});
