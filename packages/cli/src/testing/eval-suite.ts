/** @module A small suite for tests of the eval commands, and a world with it in its folder. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startBookshop } from "@fettle/samples";
import { testWorld } from "./world.ts";

export async function runningShop() {
  const { url, close } = await startBookshop();
  return { url, [Symbol.asyncDispose]: close };
}

/** Each word in quotes, as `--server name=…` takes a command line. */
export const quoted = (words: readonly string[]) => words.map((word) => `"${word}"`).join(" ");

export const suiteOf = (
  fields: { model?: string; steps?: string; server?: string } = {},
) => `schemaVersion: "1"
mode: agentWorkflow
reportingMode: standard
suite: { id: s_one, name: One }
target: { servers: [{ name: ${fields.server ?? "shop"} }] }
defaults: { model: ${fields.model ?? "fettle/rules-1"}, repetitions: 2, passThreshold: 1, validity: {} }
cases:
  - id: c_one
    title: One
    steps:
${fields.steps ?? "      - { id: ask, kind: prompt, prompt: 'Use list_orders' }\n      - { id: called, kind: assert, assertion: { type: toolCalledAtLeastOnce, toolName: list_orders } }"}
`;

export async function worldWith(content: string | Uint8Array, env: Record<string, string> = {}) {
  const world = await testWorld({ env });
  await writeFile(join(world.cwd, "suite.yaml"), content);
  return world;
}
