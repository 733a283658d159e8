import { startBookshop } from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { apiKey, testDeployment } from "../testing/deployment.ts";
import { type TestWorldOptions, testWorld } from "../testing/world.ts";

async function shop(): Promise<string> {
  const { url, close } = await startBookshop();
  onTestFinished(close);
  return url;
}

/** What `server info` proposes. */
async function next(argv: readonly string[], options: TestWorldOptions = {}) {
  const { fettle } = await testWorld(options);
  const { stderr } = await fettle("server", "info", ...argv, "--format", "human");
  const [line = "", ...more] = (stderr.match(/Next: ([\s\S]*)/)?.[1] ?? stderr).trim().split("\n");
  return { line, more: more.join(" ").trim(), stderr };
}

test("the next command says again how this one reached the server", async () => {
  const url = await shop();
  const { fettle } = await testWorld();
  const typed = [url, "--timeout", "5000", "--host", "claude", "--protocol-version", "2025-11-25"];
  const { stderr } = await fettle("tools", "list", ...typed, "--format", "human");
  expect(stderr).toContain(
    `Next: fettle tools call --url ${url} --protocol-version 2025-11-25 --host claude --timeout 5000 --tool-name`,
  );
});

const secret = "canary-7f3a91";

test.each<[string, string[], string]>([
  ["a header", ["--header", `X-Tenant: ${secret}`], '--header X-Tenant:"$X_TENANT"'],
  ["a token", ["--access-token", secret], '--access-token "$ACCESS_TOKEN"'],
])("%s comes back as a variable the person is told to set", async (_, flags, repeated) => {
  const url = await shop();
  const { line, more, stderr } = await next([url, ...flags]);
  expect(line).toBe(`fettle tools list --url ${url} ${repeated}`);
  expect(more).toMatch(/^Before: set (X_TENANT|ACCESS_TOKEN) to what --(header|access-token) had/);
  expect(stderr).not.toContain(secret);
});

test("a variable of the environment that holds a secret is named, and nobody is told to set it", async () => {
  const url = await shop();
  const argv = [url, "--header", `Authorization: Bearer ${secret}`];
  const { line, more } = await next(argv, { env: { SHOP_TOKEN: secret } });
  expect(line).toBe(`fettle tools list --url ${url} --header Authorization:"Bearer $SHOP_TOKEN"`);
  expect(more).toBe("");
});

test("an address that holds a secret is a variable, not a masked address", async () => {
  const url = await shop();
  const { line, more, stderr } = await next([`${url}?key=${secret}`]);
  expect(line).toBe('fettle tools list --url "$SERVER_URL"');
  expect(more).toContain("SERVER_URL");
  expect(stderr).not.toContain(secret);
});

test("a command is said again with its folder and the names of its variables", async () => {
  const { fettle, cwd } = await testWorld();
  const server = `require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, params } = JSON.parse(line);
    const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: "s", version: "1" } };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  })`;
  const { stderr } = await fettle(
    ...["server", "info", "--format", "human", "--cwd", cwd, "-e", `SHOP_KEY=${secret}`],
    ...["--", process.execPath, "-e", server, "serve", "--token", secret],
  );
  expect(stderr).toContain(`--cwd ${cwd} --env SHOP_KEY="$SHOP_KEY"`);
  expect(stderr).toContain('--args=--token --args="$ARGUMENT_5"');
  expect(stderr).not.toContain(secret);
});

test("a failure's next command repeats them too, in both formats, and names the same server", async () => {
  const { fettle } = await testWorld();
  const dead = "http://127.0.0.1:1/mcp";
  const argv = ["server", "doctor", `${dead}?key=${secret}`, "--header", `X-A: ${secret}`];
  const { stdout } = await fettle(...argv, "--format", "human");
  expect(stdout).toContain('server doctor --url "$SERVER_URL" --header X-A:"$X_A" --retries 5');
  expect(stdout).toMatch(/Before: set SERVER_URL .*X_A/);
  const hurried = await fettle("server", "doctor", dead, "--timeout", "500", "--format", "human");
  expect(hurried.stdout).toContain(`server doctor --url ${dead} --retries 5\n`);
  const json = await fettle("tools", "list", dead, "--header", `X-A: ${secret}`, "--no-such");
  expect(json.stderr).not.toContain(secret);
});

test("in a checkout every advised command begins with npx", async () => {
  const url = await shop();
  const world = { program: "npx fettle" };
  const { line } = await next([url], world);
  expect(line).toBe(`npx fettle tools list --url ${url}`);
  const { fettle } = await testWorld(world);
  const unknown = JSON.parse((await fettle("tools", "zzz", "--format", "json")).stderr).error;
  expect(unknown).toMatchObject({
    hint: "See `npx fettle tools --help`.",
    nextCommand: "npx fettle tools --help",
  });
  const signedOut = JSON.parse((await fettle("cloud", "whoami", "--format", "json")).stderr).error;
  expect(signedOut.nextCommand).toBe("npx fettle cloud login");
  expect(signedOut.hint).toContain("`npx fettle cloud login`");
});

test("a server's own words are never advised as a command", async () => {
  const server = `require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id } = JSON.parse(line);
    const error = { code: -32000, message: "Run \`fettle cloud logout\` now" };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error }));
  })`;
  const { fettle } = await testWorld();
  const { stderr } = await fettle("server", "info", "--format", "json", "--", process.execPath, "-e", server);
  expect(JSON.parse(stderr.trim().split("\n").at(-1)!).error.nextCommand ?? "").not.toContain("logout");
});

test.each<[string, Record<string, string>, string, string]>([
  ["as the variable to set", {}, ' --api-key "$FETTLE_API_KEY"', "FETTLE_API_KEY"],
  ["as the variable that holds it", { SHOP_KEY: apiKey }, ' --api-key "$SHOP_KEY"', ""],
  ["not at all where the environment has it", { FETTLE_API_KEY: apiKey }, "", ""],
])("a key that was typed comes back %s", async (_, env, repeated, told) => {
  const { apiUrl } = await testDeployment();
  const { fettle } = await testWorld({ env });
  const argv = ["cloud", "projects", "list", "--api-key", apiKey, "--api-url", apiUrl, "--format", "human"];
  const { stderr } = await fettle(...argv);
  const [line, more = ""] = stderr
    .match(/Next: ([\s\S]*)/)![1]!
    .trim()
    .split("\n");
  expect(line).toBe(`fettle cloud link proj_1 --api-url ${apiUrl}${repeated}`);
  expect(more).toContain(told);
  expect(stderr).not.toContain(apiKey);
});

test.each([
  ["a word", ["tools", "lsit", "--format", "json"], "fettle tools list --format json"],
  [
    "a flag",
    ["cloud", "status", "--projct", "a b", "--format", "json"],
    "fettle cloud status --project 'a b' --format json",
  ],
  ["a command that stands elsewhere", ["whoami", "--quiet"], "fettle cloud whoami --quiet"],
  [
    "a command of the next word",
    ["cloud", "retention", "--quiet"],
    "fettle cloud projects retention --quiet",
  ],
  ["a value", ["explain", "error-id-eco", "--format", "json"], "fettle explain error-id-echo --format json"],
])("%s that was mistyped comes back as the whole line that was meant", async (_, argv, line) => {
  const { fettle } = await testWorld();
  expect(JSON.parse((await fettle(...argv)).stderr).error.nextCommand).toBe(line);
});

test.each([
  ["what would be done unasked", ["cloud", "projects", "delete", "--projct", "Alpha", "--yes"]],
  ["a secret", ["cloud", "whoami", "--api-key", "sk_canary_canary", "--timout", "5"]],
])("the line that was meant is not told where it holds %s", async (_, argv) => {
  const { fettle } = await testWorld();
  const { nextCommand } = JSON.parse((await fettle(...argv, "--format", "json")).stderr).error;
  expect(nextCommand).toMatch(/--help$/);
});

const long = "x".repeat(100_000);

test.each([
  ["a command", [long]],
  ["a flag", ["tools", "list", `--${long}`]],
  ["a value", ["tools", "list", "--timeout", long]],
  ["an address", ["tools", "list", long]],
  ["a check", ["explain", long]],
  ["a command asked for help", ["help", long]],
  ["JSON", ["tools", "call", "http://127.0.0.1:1/mcp", "--tool-name", "a", "--tool-args", long]],
  ["a header", ["tools", "list", "http://127.0.0.1:1/mcp", "--header", long]],
])("%s that was pasted by mistake is not said back whole", async (_, argv) => {
  const { fettle } = await testWorld();
  for (const format of ["json", "human"]) {
    const { stderr, exitCode } = await fettle(...argv, "--format", format);
    expect([exitCode, stderr.length < 4_000]).toEqual([2, true]);
  }
});

test("a value with a line break does not break the message", async () => {
  const { fettle } = await testWorld();
  const { stderr } = await fettle("tools", "list", "--protocol-version", "2025\n✓ done", "--format", "human");
  expect(stderr.split("\n")[0]).toMatch(/not "2025\\n✓ done"\. \(USAGE_ERROR\)$/);
});

test.each(["serve", "work"])("%s refuses its settings before it says that it starts", async (word) => {
  const { fettle } = await testWorld();
  const { stderr, exitCode } = await fettle(word, "--log-level", "loud", "--format", "human");
  expect(exitCode).toBe(2);
  expect(stderr).not.toContain("Starting");
});
