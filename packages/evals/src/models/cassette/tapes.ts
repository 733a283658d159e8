/** @module The cassettes of a whole suite, one file for each case and model, read when first asked for and written at the end. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { digestOf } from "../../digest.ts";
import type { Model } from "../model.ts";
import { cassettePath } from "./cassette-file.ts";
import { openTape, type Tape, type TapeOptions } from "./tape.ts";

export interface TapesOptions
  extends Pick<
    TapeOptions,
    "mode" | "suiteId" | "fettleVersion" | "recordedAt" | "masks" | "strict" | "acceptStale" | "secrets"
  > {
  /** What `.fettle/cassettes` is looked for in. */
  folder: string;
}

export interface TapedCase {
  caseKey: string;
  scenarioContentHash: string;
  /** The model that the case asks for. */
  model: string;
  /** From 1. */
  iteration: number;
}

export interface Tapes {
  /** The model for one iteration; when playing back, no live one is asked for. Throws what cannot be used as a ModelError. */
  model(item: TapedCase, live: () => Model): Promise<Model>;
  /** Writes what was recorded, and says where. */
  save(): Promise<string[]>;
}

/**
 * @example
 * const tapes = openTapes({ mode: "replay", folder: process.cwd(), suiteId, fettleVersion, recordedAt });
 * const model = await tapes.model({ caseKey, scenarioContentHash, model: "openai/gpt-5", iteration: 1 }, () => source.open("openai/gpt-5"));
 */
export function openTapes({ folder, ...options }: TapesOptions): Tapes {
  const tapes = new Map<string, Promise<Tape>>();

  const load = async (path: string, { caseKey, scenarioContentHash, model }: TapedCase): Promise<Tape> => {
    const recorded = options.mode === "record" ? undefined : await readIfThere(join(folder, path));
    const known = { ...options, path, caseKey, scenarioContentHash, model };
    return openTape({ ...known, ...(recorded !== undefined && { recorded }) });
  };

  return {
    async model(item, live) {
      const path = cassettePath(options.suiteId, item.caseKey, { model: item.model });
      const loading = tapes.get(path) ?? load(path, item);
      tapes.set(path, loading);
      const tape = await loading;
      return tape.model(options.mode === "replay" ? undefined : live(), item.iteration);
    },
    async save() {
      const written: string[] = [];
      for (const [path, loading] of tapes) {
        const text = (await loading).text();
        if (text === undefined) continue;
        await writeWhole(join(folder, path), text);
        written.push(path);
      }
      return written.toSorted();
    },
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The old recording stays until the new one is whole. */
async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.${digestOf([process.pid, text.length]).slice(0, 8)}.tmp`;
  await writeFile(beside, text);
  await rename(beside, path);
}
