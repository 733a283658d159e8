import { sampleCommand, startBookshop } from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { tree } from "../commands/index.ts";
import { testWorld } from "../testing/world.ts";
import { parse } from "./parse.ts";
import { takesTarget } from "./target-words.ts";
import { walk } from "./tree.ts";

const local = [...walk(tree)].flatMap(({ declaration }) =>
  declaration.kind === "command" && takesTarget(declaration) ? [declaration] : [],
);
const url = "http://127.0.0.1:3001/mcp";

test("every local command that takes a server takes it so", () => {
  expect(local.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["tools list", "server doctor", "protocol conformance", "oauth login", "compat"]),
  );
});

test.each(local.map((command) => [command.name, command] as const))("%s", (name, command) => {
  const required = Object.entries(command.flags).flatMap(([flag, declared]) =>
    "required" in declared && flag !== "url"
      ? [`--${flag}`, declared.kind === "choice" ? declared.choices[0]! : "1"]
      : [],
  );
  const valuesOf = (...words: string[]) => {
    const parsed = parse(tree, [...name.split(" "), ...required, ...words]);
    return parsed.kind === "call" ? parsed.values : {};
  };
  expect(valuesOf(url).url).toBe(url);
  expect(() => valuesOf("--url", url, url)).toThrow("named twice");
  if (!("command" in command.flags)) return;
  expect(valuesOf("--", "node", "server.js", "--port", "1")).toMatchObject({
    command: "node",
    args: ["server.js", "--port", "1"],
  });
});

test.each([
  ["no address", ["tools", "list", "shop"], /"shop" is not an http address/],
  [
    "a command without dashes",
    ["tools", "list", "node", "server.js"],
    /"node server.js" is not an http address/,
  ],
  ["an address and a command", ["tools", "list", url, "--", "node", "x"], /The server is named twice/],
  ["an address and something more", ["tools", "list", url, "extra"], /Too many arguments: "extra"/],
  ["arguments in two places", ["tools", "list", "--args", "a", "--", "node"], /--args goes with --command/],
  ["a command where only an address will do", ["oauth", "login", "--", "node"], /takes only one/],
])("%s is refused with what to type", (_, argv, message) => {
  expect(() => parse(tree, argv)).toThrow(expect.objectContaining({ exitCode: 2, hint: expect.any(String) }));
  expect(() => parse(tree, argv)).toThrow(message);
});

test.each([
  ["127.0.0.1:7402/mcp", "http://127.0.0.1:7402/mcp"],
  ["localhost:3001/mcp", "http://localhost:3001/mcp"],
  ["[::1]:3001/mcp", "http://[::1]:3001/mcp"],
  ["mcp.example.com/mcp", "https://mcp.example.com/mcp"],
])("an address without its scheme, %s, is offered with one", (typed, meant) => {
  expect(() => parse(tree, ["tools", "list", typed])).toThrow(
    expect.objectContaining({ exitCode: 2, choices: [meant], hint: `Did you mean ${meant}?` }),
  );
});

test.each(["server.js", "./dist/server.js", "node"])("%s is not taken for an address", (typed) => {
  expect(() => parse(tree, ["tools", "list", typed])).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("behind --") }),
  );
});

test("both name a real server", async () => {
  const shop = await startBookshop();
  onTestFinished(() => shop.close());
  const { fettle } = await testWorld();
  const listed = await fettle("tools", "list", shop.url);
  expect(JSON.parse(listed.stdout).tools.length).toBeGreaterThan(0);
  const { command, args } = sampleCommand("bookshop");
  const examined = await fettle("server", "info", "--format", "json", "--", command, ...args);
  expect(examined).toMatchObject({ exitCode: 0 });
});
