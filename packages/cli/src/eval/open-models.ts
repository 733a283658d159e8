/** @module The models that a command may use: set up by the environment, and by a file that was named. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  createModelSource,
  type ModelConfiguration,
  type ModelSource,
  modelsSectionOf,
  readModelConfiguration,
} from "@fettle/evals";
import { parse } from "yaml";
import { usageError } from "../cli-error.ts";
import { whyUnreadable } from "../files/unreadable.ts";
import type { World } from "../world.ts";
import { asUsage } from "./model-errors.ts";

interface OpenModels extends Disposable {
  source: ModelSource;
  configuration: ModelConfiguration;
}

/** Only a file that was named: a folder's own could send keys from the environment to an address of its choice. */
export async function openModels({
  flags: { config },
  world,
}: {
  flags: { config?: string | undefined };
  world: Pick<World, "cwd" | "env">;
}): Promise<OpenModels> {
  const section = config === undefined ? undefined : await readModelsSection(resolve(world.cwd, config));
  const configuration = await asUsage(async () => readModelConfiguration(section, world.env));
  const source = createModelSource(configuration);
  return { source, configuration, [Symbol.dispose]: () => source.close() };
}

async function readModelsSection(path: string): Promise<unknown> {
  let document: unknown;
  try {
    document = parse(await readFile(path, "utf8"), { maxAliasCount: 0 });
  } catch (cause) {
    throw usageError(`--config cannot be read: ${whyUnreadable(cause)}.`, { cause });
  }
  return asUsage(async () => modelsSectionOf(document));
}
