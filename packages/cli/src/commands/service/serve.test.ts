import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { options } from "@fettle/service";
import { testDatabase } from "@fettle/service/testing";
import { expect, test } from "vitest";
import { camelCase, type Flag } from "../../program/flag.ts";
import { execFettle, spawnFettle } from "../../testing/process.ts";
import { temporaryFolder } from "../../testing/world.ts";
import { serveFlags } from "./flags.ts";

test("the flags are the service's own options, in its own words", () => {
  const { sample: _, ...declared } = serveFlags;
  const said = Object.entries<Flag>(declared).map(([name, flag]) => {
    if (flag.kind === "boolean") throw new Error("every option takes a value");
    return [
      camelCase(name),
      { flag: `--${name} <${flag.value}>`, help: flag.help, defaultText: flag.defaultNote },
    ];
  });
  const meant = Object.entries(options).flatMap(([name, option]) =>
    "flag" in option && option.flag
      ? [
          [
            name,
            {
              flag: option.flag,
              help: option.help,
              defaultText: option.defaultText ?? String(option.default),
            },
          ],
        ]
      : [],
  );
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(meant));
});

test("it prints one object once it answers, and stops when asked, leaving nothing", async () => {
  await using database = await testDatabase();
  const cwd = await temporaryFolder();
  const { firstLine, child, stdout, exit } = spawnFettle(["serve", "--port", "0", "--format", "json"], {
    cwd,
    env: { DATABASE_URL: database.url.reveal() },
  });
  const said = JSON.parse(await firstLine);
  expect(Object.keys(said)).toEqual([
    "url",
    "signInUrl",
    "apiKey",
    "organizationId",
    "projectId",
    "serverId",
    "bookshopUrl",
    "dataDir",
  ]);
  expect(said.dataDir).toBe(join(cwd, ".fettle", "data"));
  expect(await (await fetch(`${said.url}/readyz`)).json()).toEqual({ ready: true });
  const away = execFettle(["cloud", "whoami", "--api-url", said.url, "--api-key", "sk_unknown"], { cwd });
  expect(JSON.parse((await away).stderr).error.code).toBe("UNAUTHORIZED");

  child.kill("SIGTERM");
  expect(await exit).toEqual({ code: 0, signal: null });
  expect(stdout().trim().split("\n")).toHaveLength(1);
  await expect(fetch(`${said.url}/healthz`)).rejects.toThrow();
});

test("the commands it prints work as they are", async () => {
  await using database = await testDatabase();
  const cwd = await temporaryFolder();
  const service = spawnFettle(
    ["serve", "--sample", "--port", "0", "--format", "human", "--log-level", "error"],
    {
      cwd,
      env: { DATABASE_URL: database.url.reveal() },
    },
  );
  await service.untilSaid("Ctrl-C stops it.");
  const printed = service
    .stdout()
    .split("Try, in another terminal\n")[1]!
    .replaceAll(/ \\\n +/g, " ");
  const commands = printed
    .split("\n")
    .filter((line) => line.startsWith("  "))
    .map((line) => line.trim().split(" "));
  const [curl, ...ours] = commands.toReversed();
  expect(ours.map((words) => words.slice(0, 2).join(" "))).toEqual(ours.map(() => "npx fettle"));
  const answers = new Map<string, string>();
  for (const [, , ...words] of ours.toReversed()) {
    // Signing in opens a browser and waits for a person.
    if (words[1] === "login") continue;
    const unquoted = words.map((word) => word.replace(/^'(.*)'$/, "$1"));
    const { stdout, exitCode } = await execFettle(unquoted, { cwd });
    expect([words.join(" "), exitCode]).toEqual([words.join(" "), 0]);
    answers.set(
      words
        .slice(0, 4)
        .join(" ")
        .replace(/ http.*/, ""),
      stdout,
    );
  }
  expect([...answers.keys()]).toEqual([
    "server doctor",
    "tools call",
    "cloud projects list --api-url",
    "cloud projects servers get",
  ]);
  expect(JSON.parse(answers.get("cloud projects list --api-url")!).items).toHaveLength(1);
  const { id, url: address } = JSON.parse(answers.get("cloud projects servers get")!);
  expect(service.stdout()).toMatch(new RegExp(`Server +${id} \\(Bookshop\\)`));
  expect(service.stdout()).toMatch(new RegExp(`Bookshop +${address}`));
  // As curl would do it, which not every machine has.
  const [, url, flag, key] = curl!;
  expect(flag).toBe("--oauth2-bearer");
  const me = await fetch(url!, { headers: { authorization: `Bearer ${key}` } });
  expect(await me.json()).toHaveProperty("email");
});

test("workers run apart, and hand over when stopped", async () => {
  await using database = await testDatabase();
  const cwd = await temporaryFolder();
  const env = { DATABASE_URL: database.url.reveal(), FETTLE_SECRET_KEY: "0123456789abcdef0123456789abcdef" };
  const { firstLine, child, exit } = spawnFettle(["work"], { cwd, env });
  expect(JSON.parse(await firstLine)).toEqual({ status: "working" });
  child.kill("SIGTERM");
  expect(await exit).toEqual({ code: 0, signal: null });
});

test("an interrupted start still stops cleanly", async () => {
  await using database = await testDatabase();
  const { child, exit, untilSaid } = spawnFettle(["serve", "--port", "0"], {
    cwd: await temporaryFolder(),
    env: { DATABASE_URL: database.url.reveal() },
  });
  await untilSaid("Starting");
  child.kill("SIGINT");
  expect(await exit).toEqual({ code: 0, signal: null });
});

test.each([
  ["an address others could reach, not set up for it", ["--host", "0.0.0.0"], "BIND_REFUSED", 2],
  ["a port that is none", ["--port", "http"], "CONFIG_INVALID", 2],
])("%s is refused with its reason, before anything is made", async (_, argv, code, exitCode) => {
  const cwd = await temporaryFolder();
  const done = await execFettle(["serve", "--quiet", ...argv], { cwd });
  expect({ stdout: done.stdout, exitCode: done.exitCode }).toEqual({ stdout: "", exitCode });
  expect(JSON.parse(done.stderr).error.code).toBe(code);
  expect(
    await readdir(join(cwd, ".fettle")).then(
      (made) => made.includes("data"),
      () => false,
    ),
  ).toBe(false);
});
