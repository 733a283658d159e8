/** @module The cassettes of a whole suite, one file for each case and model, read when first asked for and written at the end. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "@fettle/contract/core";
import type { AgentServer } from "../agent/servers.ts";
import { digestOf } from "../digest.ts";
import type { Model } from "../models/model.ts";
import { cassettePath } from "./cassette-file.ts";
import { openTape, type Tape, type TapeOptions } from "./tape.ts";

export interface TapesOptions
  extends Pick<
    TapeOptions,
    | "mode"
    | "suiteId"
    | "fettleVersion"
    | "recordedAt"
    | "masks"
    | "strict"
    | "acceptStale"
    | "tools"
    | "secrets"
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

export interface SavedTape {
  path: string;
  /** An earlier recording is kept rather than replaced by less than was asked for; where there is none, what came to its end is written. */
  outcome: "written" | "partial" | "kept" | "nothing";
}

export interface Tapes {
  /** The model for one iteration; when playing back, no live one is asked for. Throws what cannot be used as a ModelError. */
  model(item: TapedCase, live: () => Model): Promise<Model>;
  /** The servers for one iteration; where tools are recorded too, they are written down or played back. */
  servers(item: TapedCase, live: readonly AgentServer[]): Promise<readonly AgentServer[]>;
  /** Writes what was recorded, and says where. Iterations that were lost are in no recording. */
  save(lostOf: (caseKey: string) => ReadonlySet<number>): Promise<SavedTape[]>;
}

/**
 * @example
 * const tapes = openTapes({ mode: "replay", folder: process.cwd(), suiteId, fettleVersion, recordedAt });
 * const model = await tapes.model({ caseKey, scenarioContentHash, model: "openai/gpt-5", iteration: 1 }, () => source.open("openai/gpt-5"));
 */
export function openTapes({ folder, ...options }: TapesOptions): Tapes {
  const tapes = new Map<string, { caseKey: string; loading: Promise<Tape> }>();

  const load = async (path: string, { caseKey, scenarioContentHash, model }: TapedCase): Promise<Tape> => {
    const recorded = options.mode === "record" ? undefined : await readIfThere(join(folder, path));
    const known = { ...options, path, caseKey, scenarioContentHash, model };
    return openTape({ ...known, ...(recorded !== undefined && { recorded }) });
  };

  const tapeOf = (item: TapedCase): Promise<Tape> => {
    const path = cassettePath(options.suiteId, item.caseKey, { model: item.model });
    const { caseKey } = item;
    const opened = tapes.get(path) ?? { caseKey, loading: load(path, item) };
    tapes.set(path, opened);
    return opened.loading;
  };

  return {
    async model(item, live) {
      const tape = await tapeOf(item);
      return tape.model(options.mode === "replay" ? undefined : live(), item.iteration);
    },
    async servers(item, live) {
      return (await tapeOf(item)).servers(live, item.iteration);
    },
    async save(lostOf) {
      const saved: SavedTape[] = [];
      if (options.mode === "replay" || options.mode === "verify") return saved;
      for (const [path, { caseKey, loading }] of tapes) {
        const file = join(folder, path);
        const lost = lostOf(caseKey);
        const isLost = lost.size > 0;
        const text = (await loading).text(lost);
        if (isLost && (await readIfThere(file)) !== undefined) saved.push({ path, outcome: "kept" });
        else if (text !== undefined) {
          await writeWhole(file, text);
          saved.push({ path, outcome: isLost ? "partial" : "written" });
        } else if (isLost) saved.push({ path, outcome: "nothing" });
      }
      return saved.toSorted((one, other) => (one.path < other.path ? -1 : 1));
    },
  };
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
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
