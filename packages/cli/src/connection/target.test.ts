import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startBookshop } from "@fettle/samples";
import { describe, expect, onTestFinished, test } from "vitest";
import { testWorld } from "../testing/world.ts";

const url = ["--url", "http://127.0.0.1:9/mcp"];
const command = ["--command", "no-such-command"];

describe("conflicts are refused before anything is started or sent", () => {
  test.each<[string[], string]>([
    [[], "exactly one server"],
    [[...url, ...command], "exactly one server"],
    [["--transport", "http", ...command], "--transport http"],
    [["--transport", "http"], "--transport http"],
    [["--transport", "stdio", ...url], "--transport stdio"],
    [["--transport", "carrier-pigeon", ...url], "--transport is one of"],
    [[...url, "--args", "x"], "--args"],
    [[...url, "--command-args", "x"], "--command-args"],
    [[...url, "-e", "A=1"], "--env"],
    [[...url, "--cwd", "/"], "--cwd"],
    [[...command, "--access-token", "t"], "--access-token"],
    [[...command, "--header", "a: b"], "--header"],
    [[...command, "--credentials-file", "x"], "--credentials-file"],
    [[...command, "--client-id", "x"], "--client-id"],
    [["--url", "nonsense"], "not a URL"],
    [["--url", "ftp://127.0.0.1/"], "http or https"],
    [["--url", "http://user:pass@127.0.0.1/"], "user name or password"],
    [[...url, "--credentials-file", "x", "--access-token", "t"], "--access-token"],
    [[...url, "--credentials-file", "x", "--oauth-access-token", "t"], "--oauth-access-token"],
    [[...url, "--credentials-file", "x", "--refresh-token", "t", "--client-id", "c"], "--refresh-token"],
    [[...url, "--credentials-file", "x", "--client-secret", "s"], "--client-secret"],
    [[...url, "--access-token", "a", "--oauth-access-token", "b"], "differ"],
    [[...url, "--access-token", "a", "--refresh-token", "b", "--client-id", "c"], "not both"],
    [[...url, "--refresh-token", "b"], "--client-id"],
    [[...url, "--client-id", "b"], "--refresh-token"],
    [[...url, "--header", "no colon"], "--header"],
    [[...url, "--header", ": empty"], "--header"],
    [[...command, "-e", "NOEQUALS"], "KEY=VALUE"],
    [[...command, "-e", "=value"], "KEY=VALUE"],
    [[...url, "--client-capabilities", "[]"], "must be a JSON object"],
    [[...url, "--client-capabilities", "{"], "not JSON"],
    [[...url, "--protocol-version", "1999-01-01"], "--protocol-version is one of"],
    [[...url, "--host", "nobody"], "--host is one of fettle, claude"],
    [[...url, "--host", "claude", "--client-capabilities", "{}"], "--host"],
    [[...url, "--retry-delay-ms", "5"], "--retries"],
    [[...url, "--timeout", "0"], "--timeout"],
  ])("tools list %j", async (argv, words) => {
    const { fettle } = await testWorld();
    const { stdout, stderr, exitCode } = await fettle("tools", "list", ...argv);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: "USAGE_ERROR",
      message: expect.stringContaining(words),
    });
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
  });

  test("a second input from stdin names the first", async () => {
    const { fettle } = await testWorld({ stdin: "{}" });
    const argv = ["--tool-name", "x", "--tool-args", "-", "--client-capabilities", "-"];
    const { stderr, exitCode } = await fettle("tools", "call", ...url, ...argv);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr).error.message).toContain("--tool-args already does");
  });
});

describe("a credentials file", () => {
  const fresh = { version: 1, accessToken: "canary-access-token", serverUrl: url[1]! };

  async function withFile(content: unknown, options: Parameters<typeof testWorld>[0] = {}) {
    const world = await testWorld(options);
    await mkdir(world.cwd, { recursive: true });
    const path = join(world.cwd, "credentials.json");
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    return { ...world, path };
  }

  test.each<[string, unknown]>([
    ["not JSON", "{"],
    ["version is not 1", { ...fresh, version: 2 }],
    ["serverUrl", { ...fresh, serverUrl: "ftp://x" }],
    ["not for this server", { ...fresh, serverUrl: "http://127.0.0.1:9/other" }],
    ["neither", { version: 1, serverUrl: url[1] }],
    ["needs a clientId", { version: 1, serverUrl: url[1], refreshToken: "r" }],
    ["tokenType is not Bearer", { ...fresh, tokenType: "DPoP" }],
    ["not a date", { ...fresh, expiresAt: "tomorrow" }],
    ["expired", { ...fresh, expiresAt: "2020-01-01T00:00:00Z" }],
  ])("that is unusable (%s) is a usage error", async (words, content) => {
    const { fettle } = await withFile(content);
    const { stderr, exitCode } = await fettle(
      "server",
      "ping",
      ...url,
      "--credentials-file",
      "credentials.json",
    );
    expect(JSON.parse(stderr).error.message).toContain(words);
    expect({ exitCode, leaked: stderr.includes("canary") }).toEqual({ exitCode: 2, leaked: false });
  });

  test("works for the server it names, whatever slash stands at the end", async () => {
    const bookshop = await startBookshop();
    onTestFinished(() => bookshop.close());
    const content = { ...fresh, serverUrl: `${bookshop.url}//`, expiresAt: "2999-01-01T00:00:00Z" };
    const { fettle, path } = await withFile(content);
    const { stdout, exitCode } = await fettle(
      "server",
      "ping",
      "--url",
      bookshop.url,
      "--credentials-file",
      path,
      "--rpc",
    );
    expect({ exitCode, leaked: stdout.includes("canary") }).toEqual({ exitCode: 0, leaked: false });
    expect(await readFile(path, "utf8")).toContain("canary");
    expect((await stat(path)).isFile()).toBe(true);
  });
});
