/** @module Whether the recordings of a suite still hold, told without playing anything; and which of them nobody uses any more. */
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ServerLink } from "../agent/servers.ts";
import { offeredTool, toolCatalog } from "../agent/tool-catalog.ts";
import { ModelError } from "../models/model.ts";
import { fullModelName } from "../models/model-name.ts";
import type { SuiteCase, SuiteFile } from "../suite/suite-file.ts";
import { type Cassette, cassettePath, readCassette } from "./cassette-file.ts";
import { cleaner } from "./clean-recording.ts";
import { stalenessOf } from "./staleness.ts";
import { readIfThere } from "./tapes.ts";

export interface CassetteStatus {
  caseKey: string;
  title: string;
  model: string;
  path: string;
  state: "fresh" | "stale" | "missing" | "unreadable";
  /** Why it does not hold. */
  reasons: string[];
  /** Null where none can be read. */
  recordedAt: number | null;
  repetitions: number;
  /** Whether it can be played without its servers. */
  hasTools: boolean;
}

export interface StatusOptions {
  /** What `.fettle/cassettes` is looked for in. */
  folder: string;
  suite: SuiteFile;
  /** Instead of every name in the file. */
  model?: string | undefined;
  /** Absent: whether the tools are still the same is not looked at. */
  servers?: readonly ServerLink[] | undefined;
}

/** Of each enabled case, in the file's order. */
export async function cassetteStatus(options: StatusOptions): Promise<CassetteStatus[]> {
  const { suite, servers } = options;
  const catalog = servers && toolCatalog(servers.map(({ name, tools }) => ({ server: name, tools })));
  const { systemPrompt, temperature } = suite.defaults;
  const request = {
    ...(systemPrompt !== undefined && { system: systemPrompt }),
    parameters: temperature === undefined ? {} : { temperature },
    toolChoice: "auto" as const,
    ...(catalog && { tools: catalog.tools.map(offeredTool) }),
  };
  return Promise.all(
    suite.cases
      .filter(({ disabled }) => disabled !== true)
      .map(async (item): Promise<CassetteStatus> => {
        const model =
          options.model ?? fullModelName(item.model ?? suite.defaults.model, suite.defaults.provider);
        const path = cassettePath(suite.suite.id, item.id, { model });
        const named = { caseKey: item.id, title: item.title, model, path };
        const none = { recordedAt: null, repetitions: 0, hasTools: false };
        const text = await readIfThere(join(options.folder, path));
        if (text === undefined) return { ...named, ...none, state: "missing", reasons: [] };
        try {
          const cassette = readCassette(text);
          const reasons = [...promptReasons(item, cassette), ...stalenessOf(cassette.header, model, request)];
          const { header, turns, calls, servers: recorded } = cassette;
          return {
            ...named,
            state: reasons.length === 0 ? "fresh" : "stale",
            reasons,
            recordedAt: header.recordedAt,
            repetitions: new Set([...turns, ...calls].map(({ iteration }) => iteration)).size,
            hasTools: recorded.length > 0,
          };
        } catch (error) {
          if (!(error instanceof ModelError)) throw error;
          return { ...named, ...none, state: "unreadable", reasons: [error.message] };
        }
      }),
  );
}

/** What was asked then and is not asked now. A conversation that ended early has fewer. */
function promptReasons({ steps }: SuiteCase, { turns }: Cassette): string[] {
  const clean = cleaner({});
  const prompts = steps.flatMap((step) => (step.kind === "prompt" ? [clean(step.prompt)] : []));
  const changed = new Set(
    turns.flatMap(({ promptIndex, stepIndex, request: { lastUser } }) =>
      stepIndex === 0 && lastUser !== undefined && lastUser !== prompts[promptIndex] ? [promptIndex] : [],
    ),
  );
  return [...changed].toSorted((a, b) => a - b).map((index) => `prompt ${index + 1} changed`);
}

export interface UnusedCassette {
  path: string;
  reason: string;
}

/** Recordings of cases that the suite no longer has. Those of other models stay: a run may ask for them. */
export async function unusedCassettes(
  folder: string,
  { suite, cases }: SuiteFile,
): Promise<UnusedCassette[]> {
  const place = dirname(cassettePath(suite.id, "any", {}));
  const known = new Set(cases.map(({ id }) => id));
  const files = await readdir(join(folder, place)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return files.toSorted().flatMap((file): UnusedCassette[] => {
    const [, caseKey] = /^(.+)\.[0-9a-f]{8}\.jsonl$/.exec(file) ?? [];
    if (caseKey === undefined || known.has(caseKey)) return [];
    return [{ path: `${place}/${file}`, reason: `the suite has no case ${caseKey}` }];
  });
}

export async function deleteCassettes(folder: string, unused: readonly UnusedCassette[]): Promise<void> {
  for (const { path } of unused) await rm(join(folder, path), { force: true });
}
