/** @module A hosted suite as a suite file, or every reason why no file says the same. Pure: nothing is guessed, and nothing is left out in silence. */
import { isDeepStrictEqual } from "node:util";
import { limits } from "@fettle/contract/core";
import { type EvalCase, type EvalSuiteDetail, opaqueId } from "@fettle/contract/evals";
import {
  defaultMatchOptions,
  pointerOf,
  predicateSchema,
  readSuite,
  type SuiteCase,
  type SuiteFile,
  writeSuite,
} from "@fettle/evals";

export interface ExportFinding {
  code: "UNSUPPORTED_SUITE_EXPORT";
  path: (string | number)[];
  pointer: string;
  message: string;
}

export type Export = { ok: true; id: string; text: string } | { ok: false; findings: ExportFinding[] };

/** What is told of a suite in several answers. */
export interface Hosted {
  suite: EvalSuiteDetail;
  cases: readonly EvalCase[];
  /** Of the one attached environment; null where it has none, or is no longer there. */
  environmentName: string | null;
  serverNames: ReadonlyMap<string, string>;
}

type Refuse = (path: (string | number)[], message: string) => void;

export function exportSuite(hosted: Hosted): Export {
  const findings: ExportFinding[] = [];
  const refuse: Refuse = (path, message) => {
    findings.push({ code: "UNSUPPORTED_SUITE_EXPORT", path, pointer: pointerOf(path), message });
  };
  const { suite, cases } = hosted;
  refuseSuite(hosted, refuse);
  for (const [index, item] of cases.entries()) refuseCase(suite, item, index, refuse);
  if (findings.length > 0) return { ok: false, findings };

  const file = fileOf(hosted);
  const text = writeSuite(file);
  if (Buffer.byteLength(text) > limits.suiteFile.maxBytes) {
    refuse([], `The file would be larger than ${limits.suiteFile.maxBytes} bytes.`);
    return { ok: false, findings };
  }
  const read = readSuite(Buffer.from(text));
  if (!read.ok) for (const { path, message } of read.findings) refuse([...path], message);
  else if (!isDeepStrictEqual(read.suite, plain(file)))
    refuse([], "The file would not read as it was written.");
  return findings.length > 0 ? { ok: false, findings } : { ok: true, id: file.suite.id, text };
}

/** Without the fields that are undefined, as a file has none. */
const plain = (file: SuiteFile): unknown => JSON.parse(JSON.stringify(file));

function refuseSuite({ suite, cases, environmentName, serverNames }: Hosted, refuse: Refuse): void {
  const { environment, environmentIds, settings, executionConfig, hosts } = suite;
  if (!isOpaque(idOf(suite))) refuse(["id"], "The id is none that a file can declare.");
  if (suite.name.trim() === "") refuse(["name"], "The suite has no name.");
  if (environmentIds.length > 1) refuse(["environmentIds"], "A file names one environment, not several.");
  if (environmentIds.length === 1 && environmentName === null) {
    refuse(["environmentIds"], "The environment has no name that a file could say.");
  }
  if (environmentIds.length > 0 && environment.servers.length > 0) {
    refuse(["environment", "servers"], "Servers are saved beside an environment, which would not use them.");
  }
  if (environmentIds.length === 0 && environment.servers.length === 0) {
    refuse(["target"], "The suite names nothing to run against: no environment, no saved servers.");
  }
  if (environment.computerEnvironment) {
    refuse(["environment", "computerEnvironment"], "A file pins no sandbox image.");
  }
  for (const [index, { servers = [] }] of hosts.entries()) {
    if (servers.some((id) => !serverNames.has(id))) {
      refuse(["hosts", index, "servers"], "A server of this client is no longer there.");
    }
  }
  if (!executionConfig?.model) refuse(["executionConfig", "model"], "The suite names no model.");
  if (settings.minimumAccuracy === null) refuse(["settings", "minimumAccuracy"], "It is not set.");
  if (!isNeutral(settings.matchOptions)) {
    refuse(
      ["settings", "matchOptions"],
      "A file matches calls in any order, with extras, by the arguments it lists.",
    );
  }
  if (settings.judge.enabled || settings.judge.autoRun)
    refuse(["settings", "judge"], "A file asks for no judge.");
  if (!settings.failOnToolError) {
    refuse(["settings", "failOnToolError"], "In a file a call that failed always fails its case.");
  }
  const floor = settings.minimumIterations ?? 1;
  if (cases.some(({ iterations }) => iterations < floor)) {
    refuse(["settings", "minimumIterations"], `It asks for ${floor} repetitions, and a case has fewer.`);
  }
  for (const [index, check] of settings.checks.entries()) {
    if (!predicateSchema.safeParse(check).success) {
      refuse(["settings", "checks", index], "It is no check that a file knows.");
    }
  }
  if (cases.length === 0) refuse(["cases"], "The suite has no cases.");
}

function refuseCase(
  { executionConfig, origin }: EvalSuiteDetail,
  item: EvalCase,
  index: number,
  refuse: Refuse,
): void {
  const at = (field: string) => ["cases", index, field];
  const { models, checks, steps } = item;
  if (!isOpaque(item.declaredId)) refuse(at("id"), "The id is none that a file can declare.");
  if (steps.length === 0) refuse(at("steps"), "The case has no steps.");
  if (models.length > 1) refuse(at("models"), "A case of a file is run with one model.");
  const [only] = models;
  if (only && only.provider !== executionConfig?.provider) {
    refuse(at("models"), "A file has one provider for all models.");
  }
  if (item.scenario !== undefined) refuse(at("scenario"), "A file says nothing of a scenario.");
  if (checks && checks.mode !== "inherit" && !isFromFile(origin, checks)) {
    refuse(at("checks"), `Checks that ${checks.mode} those of the suite are not told apart in a file.`);
  }
  if (item.matchOptions && !isNeutral(item.matchOptions)) {
    refuse(at("matchOptions"), "A file matches calls in one way.");
  }
  for (const field of Object.keys(item.advancedConfig ?? {})) {
    refuse([...at("advancedConfig"), field], "A file has one of these for all cases, or none at all.");
  }
  if (item.import) refuse(at("import"), "Where a case was imported from is not written.");
}

/** A file says all of a case's checks, so that its own stand instead of the suite's: they override nothing that anybody chose. */
const isFromFile = (origin: EvalSuiteDetail["origin"], { mode }: NonNullable<EvalCase["checks"]>) =>
  origin === "file" && mode === "replace";

const idOf = ({ id, declaredId }: Pick<EvalSuiteDetail, "id" | "declaredId">) => declaredId ?? id;
const isOpaque = (id: string) => opaqueId.safeParse(id).success;
const isNeutral = (options: object | null) =>
  isDeepStrictEqual({ ...defaultMatchOptions, ...options }, defaultMatchOptions);

function fileOf({ suite, cases, environmentName, serverNames }: Hosted): SuiteFile {
  const { executionConfig, settings, environment, hosts } = suite;
  const { model = "", provider, systemPrompt, temperature } = executionConfig ?? {};
  const repetitions = usual(cases.map(({ iterations }) => iterations));
  const named = (id: string) => ({ name: serverNames.get(id) ?? id, id });
  const clients = hosts.map(({ id, name, servers }) => ({
    name,
    id,
    ...(servers && { servers: servers.map(named) }),
  }));
  return {
    schemaVersion: "1",
    mode: "agentWorkflow",
    reportingMode: "standard",
    suite: {
      id: idOf(suite),
      name: suite.name,
      ...(suite.description && { description: suite.description }),
    },
    target: {
      ...(environment.servers.length > 0 && { servers: environment.serverNames.map((name) => ({ name })) }),
      ...(environmentName !== null && { environment: environmentName }),
      ...(clients.length > 0 && { hosts: clients }),
    },
    defaults: {
      model,
      ...(provider !== undefined && { provider }),
      ...(settings.modelSource !== undefined && { modelSource: settings.modelSource }),
      ...(systemPrompt && { systemPrompt }),
      ...(temperature != null && { temperature }),
      repetitions,
      // By moving the point in its digits: a quotient would be a little off.
      passThreshold: Number(`${settings.minimumAccuracy}e-2`),
      validity: {},
    },
    cases: cases.map((item) => caseOf(item, repetitions, settings.checks)),
  };
}

function caseOf(
  item: EvalCase,
  repetitions: number,
  inherited: EvalSuiteDetail["settings"]["checks"],
): SuiteCase {
  const [only] = item.models;
  const checks = item.checks?.mode === "replace" ? item.checks.list : inherited;
  return {
    id: item.declaredId,
    title: item.title,
    ...(item.intent !== undefined && { intent: item.intent }),
    ...(item.disabled && { disabled: true }),
    ...(only && { model: only.model }),
    ...(item.iterations !== repetitions && { repetitions: item.iterations }),
    ...(item.isNegative && { isNegativeTest: true }),
    ...(item.expectToolError !== undefined && { expectToolError: item.expectToolError }),
    ...(item.continueOnFail !== undefined && { continueOnFail: item.continueOnFail }),
    ...(item.expectedOutput !== undefined && { expectedOutput: item.expectedOutput }),
    // Reading the file back judges both by the file's own schemas.
    steps: item.steps as SuiteCase["steps"],
    ...(checks.length > 0 && { assertions: checks as SuiteCase["assertions"] }),
  };
}

/** The most common; of several the smallest. */
function usual(counts: readonly number[]): number {
  const often = [...Map.groupBy(counts, (count) => count)].map(([count, all]) => ({
    count,
    times: all.length,
  }));
  const [first] = often.sort((a, b) => b.times - a.times || a.count - b.count);
  return first?.count ?? 1;
}
