/** @module Runs the official suite's client scenarios on Fettle's own client, each as a process that starts another. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

// The package is a program and exports nothing; its own manifest is the only thing that can be resolved.
const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
const suite = join(dirname(manifest), "dist/index.js");
const client = join(import.meta.dirname, "conformance-client.ts");

/** Every scenario about authorization that Fettle's client is made for, with the version it runs at; newest unless said. */
export const officialScenarios: readonly (readonly [scenario: string, version: string])[] = [
  ["metadata-default", "2025-11-25"],
  ["metadata-var1", "2025-11-25"],
  ["metadata-var2", "2025-11-25"],
  ["metadata-var3", "2025-11-25"],
  ["basic-cimd", "2025-11-25"],
  ["scope-from-www-authenticate", "2025-11-25"],
  ["scope-from-scopes-supported", "2025-11-25"],
  ["scope-omitted-when-undefined", "2025-11-25"],
  ["scope-step-up", "2025-11-25"],
  ["scope-retry-limit", "2025-11-25"],
  ["token-endpoint-auth-basic", "2025-11-25"],
  ["token-endpoint-auth-post", "2025-11-25"],
  ["token-endpoint-auth-none", "2025-11-25"],
  ["pre-registration", "2025-11-25"],
  ["2025-03-26-oauth-metadata-backcompat", "2025-03-26"],
  ["2025-03-26-oauth-endpoint-fallback", "2025-03-26"],
  ["metadata-default", "2026-07-28"],
  ["basic-cimd", "2026-07-28"],
  ["scope-step-up", "2026-07-28"],
  ["resource-mismatch", "2026-07-28"],
  ["offline-access-scope", "2026-07-28"],
  ["offline-access-not-supported", "2026-07-28"],
  ["authorization-server-migration", "2026-07-28"],
  ["iss-supported", "2026-07-28"],
  ["iss-not-advertised", "2026-07-28"],
  ["iss-supported-missing", "2026-07-28"],
  ["iss-wrong-issuer", "2026-07-28"],
  ["iss-unexpected", "2026-07-28"],
  ["iss-normalized", "2026-07-28"],
  ["metadata-issuer-mismatch", "2026-07-28"],
  ["client-credentials-jwt", ""],
  ["client-credentials-basic", ""],
  ["wif-jwt-bearer", ""],
];

/** What the suite said at its end, and every check that did not pass. */
export async function runOfficialScenario(
  scenario: string,
  version: string,
): Promise<{ summary: string; faults: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "fettle-official-"));
  try {
    const child = spawn(
      process.execPath,
      [
        suite,
        "client",
        "--command",
        `${process.execPath} ${client}`,
        "--scenario",
        `auth/${scenario}`,
        ...(version === "" ? [] : ["--spec-version", version]),
        "-o",
        folder,
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk) => {
        output += chunk;
      });
    }
    await once(child, "close");
    const lines = output.split("\n");
    return {
      summary: lines.find((line) => line.startsWith("Passed:")) ?? output.slice(-2_000),
      faults: lines.filter((line) => /FAILURE|timed out/.test(line)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
