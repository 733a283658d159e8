/** @module From the flags of `cloud eval update` to the change of a suite: what stands deep in the body has flat flags. */
import { usageError } from "../cli-error.ts";
import type { Fields } from "./operation-command.ts";

export interface SuiteChangeFlags {
  server: string[];
  computerImage: string | undefined;
  host: string[];
  model: string | undefined;
  systemPrompt: string | undefined;
  temperature: number | undefined;
  minAccuracy: number | undefined;
  minIterations: string | undefined;
  toolCallOrder: string | undefined;
  arguments: string | undefined;
  extraToolCalls: string | undefined;
  modelSource: string | undefined;
  judge: string | undefined;
  judgeModel: string | undefined;
  judgeThreshold: number | undefined;
}

/** The document lies below the flags, object by object. */
export function suiteChange(flags: SuiteChangeFlags, fields: Fields): Fields {
  const settings = below(fields.settings);
  const matchOptions = said({
    toolCallOrder: flags.toolCallOrder,
    arguments: flags.arguments,
    extraToolCalls: counted("extra-tool-calls", flags.extraToolCalls, "unlimited", "unlimited"),
  });
  const judge = said({
    ...(flags.judge !== undefined && { enabled: flags.judge === "on", autoRun: flags.judge === "on" }),
    model: flags.judgeModel,
    threshold: flags.judgeThreshold,
  });
  return said({
    ...fields,
    environment: filled(fields.environment, {
      servers: flags.server.length > 0 ? flags.server : undefined,
      computerEnvironment: flags.computerImage === "off" ? null : flags.computerImage,
    }),
    hosts: flags.host.length > 0 ? flags.host.map((host) => ({ host })) : fields.hosts,
    executionConfig: filled(fields.executionConfig, {
      model: flags.model,
      systemPrompt: flags.systemPrompt?.trim() === "" ? null : flags.systemPrompt,
      temperature: flags.temperature,
    }),
    settings: filled(fields.settings, {
      minimumAccuracy: flags.minAccuracy,
      minimumIterations: counted("min-iterations", flags.minIterations, "off", null),
      modelSource: flags.modelSource,
      matchOptions: filled(settings.matchOptions, matchOptions),
      judge: filled(settings.judge, judge),
    }),
  });
}

function counted<Word>(
  flag: string,
  typed: string | undefined,
  word: string,
  meant: Word,
): number | Word | undefined {
  if (typed === undefined) return undefined;
  if (typed === word) return meant;
  if (/^\d{1,9}$/.test(typed)) return Number(typed);
  throw usageError(`--${flag} is a whole number, or ${word}.`);
}

function below(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function said(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** What the document has stays as it is, unless a flag says something of it. */
function filled(document: unknown, flags: Fields): unknown {
  const typed = said(flags);
  return Object.keys(typed).length === 0 ? document : { ...below(document), ...typed };
}
