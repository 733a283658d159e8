/** @module What commands say of a fault: each row was once named wrongly, or said so that nobody understood. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { hostileCommand, startBookshop, startHostile } from "@fettle/samples";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { patient } from "../../../mcp/src/testing/patience.ts";
import { testWorld } from "../testing/world.ts";

const overHttp = async (name: string) => {
  const server = await startHostile(name);
  onTestFinished(() => server.close());
  return ["--url", server.url];
};
const overStdio = async (name: string) => {
  const { command, args } = hostileCommand(name);
  return ["--command", command, "--args", ...args];
};
const served = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return ["--url", `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`];
};
const redirecting = () =>
  served((_req, res) => void res.writeHead(302, { location: "http://169.254.169.254/latest/" }).end());
const pointingAtPage = () =>
  served((req, res) => {
    if (req.url === "/meta") return void res.writeHead(200).end("<p>Hello</p>");
    if (req.url !== "/mcp") return void res.writeHead(404).end();
    const url = `http://${req.headers.host}/meta`;
    res.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${url}"` }).end();
  });
const bookshop = async () => {
  const shop = await startBookshop();
  onTestFinished(() => shop.close());
  return ["--url", shop.url];
};

const doctor = ["server", "doctor"];
const validate = ["server", "validate"];
const idEcho = ["protocol", "conformance", "--check-id", "error-id-echo", "--protocol-version", "2025-11-25"];

/** [what is wrong, the command, the server, what it says, what it must not say] */
const rows: [string, string[], () => Promise<string[]>, RegExp, RegExp?][] = [
  [
    "ids that come back as texts",
    doctor,
    () => overStdio("text-ids"),
    /carries the string \\?"2\\?"/,
    /HANGS/,
  ],
  ["ids that nobody sent", doctor, () => overStdio("wrong-ids"), /NOT_MCP.*never asked/s, /HANGS/],
  ["a line without its end", doctor, () => overStdio("no-newline"), /LINE_NOT_ENDED/, /HANGS/],
  [
    "406",
    doctor,
    () => overHttp("not-acceptable"),
    /refuses what the client accepts \(406\)/,
    /METHOD_NOT_ALLOWED/,
  ],
  ["an encoding that is none", doctor, () => overHttp("false-gzip"), /WRONG_ENCODING/, /CONNECTION_LOST/],
  [
    "a circle of cursors",
    ["tools", "list"],
    () => overHttp("cyclic-cursor"),
    /runs in a circle/,
    /[Tt]wice|second/,
  ],
  ["a circle of cursors, validated", validate, () => overHttp("cyclic-cursor"), /"success": ?true/, /second/],
  [
    "metadata that cannot be read",
    doctor,
    pointingAtPage,
    /cannot be read: not a JSON object/,
    /publishes no/,
  ],
  [
    "metadata that cannot be read, probed",
    ["server", "probe"],
    pointingAtPage,
    /cannot be read/,
    /publishes no/,
  ],
  [
    "an id in another type",
    idEcho,
    () => overHttp("text-ids"),
    /The answer to request \d+ carries the string \\"\d+\\"/,
  ],
  [
    "a form of draft 4",
    validate,
    () => overHttp("old-schemas"),
    /exclusiveMinimum is true, a form of draft 4/,
  ],
  ["a reference to nothing", validate, () => overHttp("old-schemas"), /\$ref leads to nothing/, /is leads/],
  ["a redirect to a metadata address", doctor, redirecting, /cannot follow a 302/, /Use http:\/\/169/],
  [
    "names that hosts refuse",
    validate,
    () => overHttp("hostile-text"),
    /has characters other than letters/,
    /"success": ?true/,
  ],
  ["facts that come with the release", ["compat"], bookshop, /bundled with this release/, /version 1\b/],
];

// What a command loads when it is first run would be part of the time that its server has to answer.
beforeAll(async () => {
  const shop = await startBookshop();
  const world = await testWorld({ home: tmpdir(), cwd: tmpdir() });
  for (const words of [["tools", "list"], doctor]) await world.fettle(...words, "--url", shop.url);
  await shop.close();
});

/** Each answers, and no MCP client can take it. */
const wrongAnswers: [string, () => Promise<string[]>][] = [
  ...["text-ids", "wrong-ids", "result-on-400", "no-content-type", "wrong-content-type", "reply-events"].map(
    (name): [string, () => Promise<string[]>] => [name, () => overHttp(name)],
  ),
  ...["text-ids", "wrong-ids", "no-newline"].map((name): [string, () => Promise<string[]>] => [
    `${name} over stdio`,
    () => overStdio(name),
  ]),
];

test.each(wrongAnswers)("%s: a server that answers wrongly is not called unreachable", async (_, start) => {
  const world = await testWorld();
  // What a server has said wrongly is told when the time is over; a process has to have started by then.
  const timeout = await patient(4_000, hostileCommand("text-ids"));
  const flags = [...(await start()), "--timeout", String(timeout), "--format", "json"];
  const { stderr, exitCode } = await world.fettle("tools", "list", ...flags);
  expect(exitCode).toBe(1);
  const error = JSON.parse(stderr.split("\n").findLast((line) => line.startsWith('{"error"'))!).error;
  expect(error.code).toBe("INVALID_ANSWER");
});

test.each(rows)("%s", async (_, words, start, says, saysNot) => {
  const world = await testWorld();
  const timeout =
    words === doctor ? ["--timeout", String(await patient(3_000, hostileCommand("text-ids")))] : [];
  const { stdout, stderr } = await world.fettle(...words, ...(await start()), ...timeout, "--format", "json");
  expect(`${stdout}${stderr}`).toMatch(says);
  if (saysNot) expect(`${stdout}${stderr}`).not.toMatch(saysNot);
});

test("a second answer is told of the request it answers, never of the next one", async () => {
  const world = await testWorld();
  const { stderr } = await world.fettle("tools", "list", ...(await overHttp("duplicate-answers")), "--rpc");
  const warnings = stderr.split("\n").filter((line) => line.startsWith("! "));
  expect(warnings.join("\n")).toMatch(
    /^! A second answer to request 1 \(server\/discover\) came; the first one counts/,
  );
});

test("an image without mimeType is told by what is missing", async () => {
  const world = await testWorld();
  const calling = ["tools", "call", "--tool-name", "echo", "--validate-response", "--format", "human"];
  const { stdout, exitCode } = await world.fettle(...calling, ...(await overHttp("image-without-type")));
  expect(exitCode).toBe(1);
  expect(stdout).toContain("An image in the tool's result has no mimeType");
});

test("a failed --validate-response gives its reason in JSON too", async () => {
  const world = await testWorld();
  const calling = ["tools", "call", "--tool-name", "echo", "--validate-response", "--format", "json"];
  const { stdout, exitCode } = await world.fettle(...calling, ...(await overHttp("image-without-type")));
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)._failures).toEqual([
    { id: "response-envelope", error: "An image in the tool's result has no mimeType" },
  ]);
});

test("the doctor reads prompts, and calls tools only when it may", async () => {
  const world = await testWorld();
  const findings = async (name: string, ...more: string[]) => {
    const { stdout } = await world.fettle("server", "doctor", ...(await overHttp(name)), ...more);
    return JSON.parse(stdout).findings.map(({ summary }: { summary: string }) => summary);
  };
  expect(await findings("system-role")).toEqual([
    'The prompt "greet" has a message with the role "system"; a role is "user" or "assistant".',
  ]);
  expect(await findings("image-without-type")).toEqual([]);
  expect(await findings("image-without-type", "--call-read-only")).toEqual([
    "An image in the tool's result has no mimeType.",
  ]);
});

test("a prompt's message with the role system is told by its role", async () => {
  const world = await testWorld();
  const { stdout } = await world.fettle(
    "protocol",
    "conformance",
    ...(await overHttp("system-role")),
    "--format",
    "json",
  );
  const said = JSON.parse(stdout).checks.map(({ error }: { error?: { message: string } }) => error?.message);
  expect(said).toContainEqual(
    expect.stringContaining('The prompt "greet" has a message with the role "system"'),
  );
});

test.each([
  ["batch-answers", "inside an array"],
  ["duplicate-answers", "second answer"],
  ["log-undeclared", "does not declare"],
  ["stray-answer-first", "never asked"],
  ["progress-unasked", "which no request gave"],
])("a plain command warns of %s in one sentence, however often it is seen", async (name, words) => {
  const world = await testWorld();
  const { stderr, exitCode } = await world.fettle("tools", "list", ...(await overHttp(name)));
  expect(exitCode).toBe(0);
  const warnings = stderr.split("\n").filter((line) => line.startsWith("! "));
  expect(warnings).toEqual([expect.stringContaining(words)]);
  expect(warnings[0]?.match(/\.( |$)/g)).toHaveLength(1);
});
