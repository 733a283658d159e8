import { execFile, execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startBookshop } from "@fettle/samples";
import { describe, expect, onTestFinished, test } from "vitest";
import { tree } from "../commands/index.ts";
import { apiKey, testDeployment } from "../testing/deployment.ts";
import { hangingServers } from "../testing/hanging-servers.ts";
import { temporaryFolder, testWorld } from "../testing/world.ts";
import { namesIn } from "./live.ts";
import { completionScript } from "./script.ts";
import { type Shell, shells } from "./shells.ts";

const execute = promisify(execFile);

function isInstalled(shell: Shell): boolean {
  try {
    execFileSync(shell, ["-c", "true"]);
    return true;
  } catch {
    return false;
  }
}

/** Asks a real shell what it would offer after this line. */
const ask: Record<Shell, (script: string, line: string) => string[]> = {
  bash: (script, line) => [
    "--norc",
    "-c",
    `source ${script}; COMP_WORDS=(${line.endsWith(" ") ? `${line}""` : line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}; _fettle; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (script, line) => [
    "-f",
    "-c",
    `compdef() { :; }
     _describe() { local name=$argv[-1]; print -l -- "\${(@P)name%%:*}"; }
     compadd() { shift; print -l -- "$@"; }
     _message() { :; }
     source ${script}
     words=(${line.endsWith(" ") ? `${line}""` : line}); CURRENT=\${#words}; _fettle`,
  ],
  fish: (script, line) => [
    "--no-config",
    "-c",
    `source ${script}; complete -C '${line}' | string split -f1 \\t`,
  ],
};

describe.each(shells)("%s", (shell) => {
  const offers = async (line: string) => {
    const script = join(await temporaryFolder(), "script");
    await writeFile(script, completionScript(shell, tree));
    const { stdout } = await execute(shell, ask[shell](script, line));
    const word = line.split(" ").at(-1)!;
    // zsh filters by itself afterwards.
    return stdout.split("\n").filter((offer) => offer !== "" && offer.startsWith(word));
  };

  test.skipIf(!isInstalled(shell))("completes commands, aliases, flags and values", async () => {
    expect(await offers("fettle cl")).toEqual(["cloud"]);
    expect((await offers("fettle cloud l")).sort()).toEqual(["link", "login", "logout"]);
    expect(await offers("fettle cloud orgs ")).toEqual(["list", "audit", "spend"]);
    expect(await offers("fettle cloud projects list --or")).toEqual(["--org"]);
    expect((await offers("fettle --format ")).sort()).toEqual(["human", "json"]);
    expect(await offers("fettle tools list --host claude-")).toEqual(["claude-code"]);
    expect(await offers("fettle compat --host claude-")).toEqual(["claude-code"]);
    expect(await offers("fettle serve --host c")).toEqual([]);
    expect((await offers("fettle tools call --wire ")).sort()).toEqual(["extension", "legacy"]);
    expect((await offers("fettle completion ")).sort()).toEqual(["bash", "fish", "zsh"]);
    expect((await offers("fettle serve --log-level ")).sort()).toEqual(["debug", "error", "info", "warn"]);
  });

  test
    .skipIf(!isInstalled(shell))
    .each([
      "fettle tools call http://127.0.0.1:3001/mcp --tool-name tra",
      "fettle cloud link tra",
      "fettle explain tra",
      "fettle help tools tra",
    ])("asks the command for names, with the line as typed: %s", async (line) => {
    const folder = await temporaryFolder();
    const script = join(folder, "script");
    await writeFile(script, completionScript(shell, tree));
    const program = `#!/bin/sh\n[ "$1" = complete ] && printf '%s' "$2" > ${folder}/asked && echo track_order\n`;
    await writeFile(join(folder, "fettle"), program, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const { stdout } = await execute(shell, ask[shell](script, line), { env });
    expect(stdout.trim()).toBe("track_order");
    expect(await readFile(join(folder, "asked"), "utf8")).toBe(line);
  });

  test.skipIf(!isInstalled(shell))("is not misled by the value of a flag", async () => {
    expect((await offers("fettle --timeout telemetry cloud logi")).sort()).toEqual(["login"]);
  });
});

describe("names that only others know", () => {
  const complete = async (line: string, env: Record<string, string> = {}, world = testWorld({ env })) =>
    (await (await world).fettle("complete", line)).stdout.split("\n").filter(Boolean);

  test("are projects of the deployment one is signed in to, asked for once", async () => {
    const deployment = await testDeployment();
    const env = { FETTLE_API_KEY: apiKey, FETTLE_API_URL: deployment.apiUrl };
    const world = testWorld({ env });
    expect(await complete("fettle cloud clients list --project ", env, world)).toEqual(["Alpha", "Beta"]);
    expect(await complete("fettle cloud projects servers get --project Al", env, world)).toEqual([
      "Alpha",
      "Beta",
    ]);
    expect(deployment.seen.filter(({ path }) => path.endsWith("/projects"))).toHaveLength(1);
  });

  test("are nobody's without a credential, and no error is told", async () => {
    const deployment = await testDeployment();
    const { fettle } = await testWorld({ env: { FETTLE_API_URL: deployment.apiUrl } });
    const ran = await fettle("complete", "fettle cloud clients list --project ");
    expect({ ...ran, seen: deployment.seen }).toEqual({ stdout: "", stderr: "", exitCode: 0, seen: [] });
  });

  test("are tools and prompts of the server whose address is typed, and of no process", async () => {
    const shop = await startBookshop();
    onTestFinished(() => shop.close());
    expect(await complete(`fettle tools call --url ${shop.url} --tool-name `)).toContain("track_order");
    expect(await complete(`fettle prompts get ${shop.url} --prompt-name r`)).toEqual(["recommend_books"]);
    expect(await complete("fettle tools call --tool-name ")).toEqual([]);
    expect(await complete("fettle tools call --command touch --args started --tool-name ")).toEqual([]);
    expect(await complete("fettle tools call --url 'http")).toEqual([]);
  });

  test.each<[string, string, string[]]>([
    ["checks of the suite", "fettle tasks conformance --check-id ", ["tasks-wire-resolvable"]],
    ["checks to explain", "fettle explain err", ["error-id-echo", "tasks-wire-resolvable"]],
    ["commands to be helped with", "fettle help ", ["tools", "cloud", "explain"]],
    ["commands below one", "fettle help cloud projects ", ["list", "servers"]],
  ])("or this command itself: %s", async (_, line, some) => {
    expect(await complete(line)).toEqual(expect.arrayContaining(some));
  });

  test("are projects where one is linked", async () => {
    const { apiUrl } = await testDeployment();
    const env = { FETTLE_API_KEY: apiKey, FETTLE_API_URL: apiUrl };
    expect(await complete("fettle cloud link ", env)).toEqual(["Alpha", "Beta"]);
  });

  test("never hold what a shell would act on", () => {
    const named = [
      { name: "$(touch x)", id: "id_1" },
      { name: "two words", id: "id_2" },
      { name: "plain" },
      { name: "`x`" },
    ];
    expect(namesIn({ items: named })).toEqual(["id_1", "id_2", "plain"]);
  });

  test("are waited for a moment only", async () => {
    await using server = await hangingServers["never says a word"]();
    const startedAt = performance.now();
    expect(await complete(`fettle tools call ${server.url} --tool-name `)).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});

test("the script is printed as it is, whatever the format", async () => {
  const { fettle } = await testWorld();
  expect((await fettle("completion", "bash")).stdout).toBe(completionScript("bash", tree));
  expect((await fettle("completion", "bash", "--format", "human")).stdout).toBe(
    completionScript("bash", tree),
  );
});
