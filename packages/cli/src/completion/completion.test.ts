import { execFile, execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { tree } from "../commands/index.ts";
import { temporaryFolder, testWorld } from "../testing/world.ts";
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
    `source ${script}; COMP_WORDS=(${line.endsWith(" ") ? `${line}""` : line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _fettle; printf '%s\\n' "\${COMPREPLY[@]}"`,
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
    expect(await offers("fettle cloud orgs ")).toEqual(["list"]);
    expect(await offers("fettle cloud projects list --or")).toEqual(["--org"]);
    expect((await offers("fettle --format ")).sort()).toEqual(["human", "json"]);
    expect(await offers("fettle tools list --host claude-")).toEqual(["claude-code"]);
    expect(await offers("fettle serve --host c")).toEqual([]);
    expect((await offers("fettle tools call --wire ")).sort()).toEqual(["extension", "legacy"]);
    expect((await offers("fettle completion ")).sort()).toEqual(["bash", "fish", "zsh"]);
  });

  test.skipIf(!isInstalled(shell))("is not misled by the value of a flag", async () => {
    expect((await offers("fettle --timeout telemetry cloud logi")).sort()).toEqual(["login"]);
  });
});

test("the script is printed as it is, whatever the format", async () => {
  const { fettle } = await testWorld();
  expect((await fettle("completion", "bash")).stdout).toBe(completionScript("bash", tree));
  expect((await fettle("completion", "bash", "--format", "human")).stdout).toBe(
    completionScript("bash", tree),
  );
});
