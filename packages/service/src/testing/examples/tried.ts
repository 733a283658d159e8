/** @module Every call of the API reference, pasted into a shell against a fresh sample project, in the order of the page. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { operationExamples } from "@fettle/contract/document";
import { expect } from "vitest";
import { type SampleProject, sampleProject } from "./sample-project.ts";

const run = promisify(execFile);

/** Most machines have it; where it is missing nobody pastes a call of it. */
export const hasCurl = ["curl", "bash"].every((name) => spawnSync(name, ["--version"]).status === 0);
const folder = join(import.meta.dirname, "../../../../..");

/** What goes wrong, told as curl and the service told it. */
export async function tryExamples(
  isTried: (id: string) => boolean,
): Promise<{ tried: number; wrong: string[] }> {
  await using sample = await sampleProject();
  const { service, key } = sample;
  const page = await (await fetch(`${service.url}/docs/api`)).text();
  const [setUp] = pasted(page, "Set up the examples");
  const here = setUp!
    .replace(/^export FETTLE_API_URL=.*$/m, `export FETTLE_API_URL=${service.url}/api/v1`)
    .replace(/^export FETTLE_API_KEY=.*$/m, `export FETTLE_API_KEY=${key}`);
  const env = await variablesAfter(here);
  const unset = [...here.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!).filter((name) => !env[name]);
  expect(unset).toEqual([]);
  await sample.atRest({
    READINESS_RUN_ID: env.READINESS_RUN_ID!,
    CONFORMANCE_RUN_ID: env.CONFORMANCE_RUN_ID!,
  });
  const wrong: string[] = [];
  const shown = [...page.matchAll(/<pre aria-label="curl example for (\w+)">/g)].map(([, id]) => id!);
  const calls = shown.filter((id) => isTried(id) && !operationExamples[id]?.needs);
  for (const id of calls) {
    const [call] = pasted(page, `curl example for ${id}`);
    const problem = await shell(call!, env);
    // The page says so of these.
    const isTooLate = operationExamples[id]?.races && problem?.includes("returned error: 409");
    if (problem && !isTooLate) wrong.push(`${id}: ${problem}`);
  }
  const ofDocs = await tryDocs(sample);
  return { tried: calls.length + ofDocs.tried, wrong: [...wrong, ...ofDocs.wrong] };
}

/** The calls that the README and docs/ show. */
async function tryDocs({ service, key, projectId, serverId }: SampleProject) {
  const { stdout } = await run("grep", ["-rl", "--include=*.md", "curl ", "README.md", "docs"], {
    cwd: folder,
  });
  const calls = stdout
    .trim()
    .split("\n")
    .flatMap((path) => readFileSync(join(folder, path), "utf8").match(/^ *curl (?:.*\\\n)*.*$/gm) ?? [])
    .map((call) => call.replaceAll("http://127.0.0.1:7400", service.url));
  const env = { ...process.env, FETTLE_API_KEY: key, PROJECT: projectId, SERVER: serverId };
  const wrong: string[] = [];
  for (const call of calls) {
    const problem = await shell(call, env);
    if (problem) wrong.push(`${call}: ${problem}`);
  }
  return { tried: calls.length, wrong };
}

function pasted(page: string, label: string): string[] {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return [...page.matchAll(new RegExp(`<pre aria-label="${label}"><code>([^<]*)</code>`, "g"))].map(
    ([, text]) => text!.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!),
  );
}

/** Those that a shell has after it read the text, its functions included. */
async function variablesAfter(text: string): Promise<NodeJS.ProcessEnv> {
  const home = mkdtempSync(join(tmpdir(), "fettle-examples-"));
  try {
    const kept = join(home, "env");
    await run("bash", ["-c", `set -a\n${text}\nexport -f call first\nenv -0 > ${kept}`]);
    const entries = readFileSync(kept, "utf8").split("\0").filter(Boolean);
    return Object.fromEntries(
      entries.map((entry) => [entry.split("=")[0]!, entry.slice(entry.indexOf("=") + 1)]),
    );
  } finally {
    rmSync(home, { recursive: true });
  }
}

async function shell(text: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const strict = 'curl() { command curl -sS --fail-with-body "$@"; }\n';
  return run("bash", ["-c", strict + text], { env, timeout: 60_000 }).then(
    () => undefined,
    ({ stdout, stderr }) => `${stderr} ${stdout}`.slice(0, 500),
  );
}
