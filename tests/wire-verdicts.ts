/** @module What each command says of one hostile server, and where two of them contradict each other. */
import {
  type DoctorFinding,
  type DoctorReport,
  doctor,
  type ProtocolReport,
  runProtocol,
  severityFor,
  type WireFault,
  wireRules,
} from "@fettle/checks";
import { asMcpError, classifyFailure, isMcpError, parseTarget } from "@fettle/mcp";
import { HOSTILE_SERVERS, hostileCommand, startHostile } from "@fettle/samples";
import { testWorld } from "../packages/cli/src/testing/world.ts";

export interface RowOfVerdicts {
  name: string;
  doctor: DoctorReport;
  /** A run that had nothing to judge says why. */
  conformance: ProtocolReport | { cause: string };
  list: PlainOutcome;
  call: PlainOutcome;
  validate: PlainOutcome;
  compat: PlainOutcome;
  /** Ids of the checks and advice of the wire that the doctor tells of. */
  told: string[];
  late: string[];
  crashes: string[];
}

interface PlainOutcome {
  exitCode: number;
  /** As the error names it; undefined when all went well. */
  cause: string | undefined;
  /** As the API names it. */
  code: string | undefined;
  /** What is said beside the outcome. */
  warnings: string[];
  /** Everything that was printed, result and error alike. */
  said: string;
}

const wireIds = new Set(wireRules.map(({ checkId }) => checkId));
/** A busy machine gets as much again, and this; a command that hangs takes far longer. */
const graceMs = 5_000;

export async function lookOverAll(
  transport: "http" | "stdio",
  names: readonly string[],
  {
    timeoutMs,
    atOnce,
    noticed,
  }: { timeoutMs: number; atOnce: number; noticed: Readonly<Record<string, readonly string[]>> },
): Promise<RowOfVerdicts[]> {
  const waiting = [...names];
  const rows: RowOfVerdicts[] = [];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      rows.push(await lookOver(transport, name, timeoutMs));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  // A busy machine cuts one of them short where another still came through: those are looked at again, alone and with more time.
  const settled: RowOfVerdicts[] = [];
  for (const row of rows) {
    const isNoticed = (noticed[row.name] ?? row.told).join() === row.told.join();
    const isClear = isNoticed && contradictionsIn(row).length === 0 && disagreementsIn(row).length === 0;
    settled.push(isClear ? row : await lookOver(transport, row.name, timeoutMs * 4));
  }
  return settled;
}

async function lookOver(
  transport: "http" | "stdio",
  name: string,
  timeoutMs: number,
): Promise<RowOfVerdicts> {
  const late: string[] = [];
  const crashes: string[] = [];
  const world = await testWorld();
  /** Each on a server of its own: some remember what was asked of them. */
  const timed = async <T>(command: string, work: (flags: string[]) => Promise<T>): Promise<T> => {
    const server = transport === "http" ? await startHostile(name) : undefined;
    const { command: program, args } = server ? { command: "", args: [] } : hostileCommand(name);
    const started = performance.now();
    try {
      return await work(server ? ["--url", server.url] : ["--command", program, "--args", ...args]);
    } finally {
      if (performance.now() - started > timeoutMs * 2 + graceMs) late.push(command);
      await server?.close();
    }
  };
  const targetOf = ([kind, first, , ...args]: string[]) =>
    parseTarget(kind === "--url" ? { url: first ?? "" } : { command: first ?? "", args });
  const plain = (...words: string[]) =>
    timed(words.join(" "), async (flags): Promise<PlainOutcome> => {
      const more = ["--timeout", String(timeoutMs), "--format", "json"];
      const { exitCode, stdout, stderr } = await world.fettle(...words, ...more, ...flags);
      const line = stderr.split("\n").findLast((text) => text.startsWith('{"error"'));
      const error = line === undefined ? undefined : JSON.parse(line).error;
      if (exitCode !== 0 && exitCode !== 1 && !(words[0] === "compat" && exitCode === 3))
        crashes.push(`${words.join(" ")} exits ${exitCode}`);
      const warnings = stderr.split("\n").filter((text) => text.startsWith("! "));
      const cause = error?.details?.cause ?? error?.code;
      return { exitCode, cause, code: error?.code, warnings, said: textsIn(stdout, line) };
    });
  const report = await timed("server doctor", (flags) => doctor(targetOf(flags), { timeoutMs }));
  const conformance = await timed("protocol conformance", async (flags) => {
    try {
      return await runProtocol(targetOf(flags), {
        checkTimeoutMs: timeoutMs,
        signal: AbortSignal.timeout(timeoutMs * 2),
      });
    } catch (error) {
      if (!isMcpError(error)) crashes.push(`protocol conformance: ${String(error)}`);
      return { cause: classifyFailure(asMcpError(error)).code };
    }
  });
  return {
    name,
    doctor: report,
    conformance,
    list: await plain("tools", "list"),
    call: await plain(...callEcho, "--validate-response"),
    validate: await plain("server", "validate"),
    compat: await plain("compat"),
    // Of several tools with one fault, the rule once.
    told: [
      ...new Set(
        report.findings.flatMap(({ evidence }) =>
          wireIds.has(String(evidence.check)) ? [String(evidence.check)] : [],
        ),
      ),
    ],
    late,
    crashes,
  };
}

const callEcho = ["tools", "call", "--tool-name", "echo", "--tool-args", '{"text":"hi"}'];

/** The texts of what was printed as JSON, one for each line. */
function textsIn(...documents: (string | undefined)[]): string {
  const texts: string[] = [];
  for (const document of documents) {
    if (!document?.trim()) continue;
    JSON.parse(document, (_key, value: unknown) => {
      if (typeof value === "string") texts.push(value);
      return value;
    });
  }
  return texts.join("\n");
}

/** Faults of some tools, which leave the others. */
const ofItems = new Set(["BAD_SCHEMA", "MALFORMED_ITEM", "TOOL_NAME_REFUSED", "WIRE_RULE_BROKEN"]);

/** Seen only by whoever waits for streams or calls a tool, which the doctor does not. */
const unseenByDoctor = new Set([
  "readiness-stream-ends",
  "client-capabilities-respected",
  "wire-schema-valid",
]);

/** Faults that the doctor has no occasion to see: it calls no tool, and of a session that is lost at once it has no second one. */
const withoutOccasion: Record<string, readonly string[]> = {
  "session-amnesia": ["session-ids-unpredictable"],
  "endless-progress": ["logging-declared", "progress-token-known"],
};

/** The doctor calls no tool, and cannot know. */
const failsOnCalls = new Set(
  HOSTILE_SERVERS.filter(({ failsAt }) => failsAt === "call").map(({ name }) => name),
);
const tooLarge = "ANSWER_TOO_LARGE";

/** Codes of those who did not answer: nothing can be held against them. */
const unanswered = new Set(["SERVER_UNREACHABLE", "TIMEOUT", "OAUTH_REQUIRED", "FORBIDDEN"]);

export function contradictionsIn(row: RowOfVerdicts): string[] {
  const { doctor: report, conformance, list, call, told } = row;
  const said: string[] = [...plainContradictions(row)];
  const isOpen = report.connection.status === "connected";
  const first = report.findings[0]?.code;
  // Broken items leave the others; a list that cannot be had at all is another matter.
  const listFault = report.findings.find(
    ({ check, severity, code }) => check === "tools" && severity === "error" && !ofItems.has(code),
  );
  const expected = isOpen ? listFault?.code : first;
  if (list.cause !== expected)
    said.push(`the doctor names ${expected ?? "nothing"}, tools list ${list.cause ?? "nothing"}`);
  if (!isOpen && call.cause !== first) said.push(`the doctor names ${first}, tools call ${call.cause}`);
  if ("cause" in conformance) {
    if (isOpen) said.push(`the doctor connects, conformance ends with ${conformance.cause}`);
    else if (conformance.cause !== first)
      said.push(`the doctor names ${first}, conformance ${conformance.cause}`);
    return said;
  }
  if (!isOpen && conformance.outcome === "passed") said.push("the doctor cannot connect, conformance passes");
  if (!isOpen && unanswered.has(list.code ?? "") && conformance.outcome === "failed")
    said.push(`tools list says ${list.code}, conformance fails the server`);
  // What is more than we accept is no fault.
  if (list.code === "INVALID_ANSWER" && list.cause !== tooLarge && conformance.outcome !== "failed")
    said.push(`tools list says INVALID_ANSWER, conformance ${conformance.outcome}`);
  const isFine = report.status === "ready" && report.findings.length === 0 && !failsOnCalls.has(row.name);
  if (isFine && conformance.outcome === "incomplete")
    said.push(
      `the doctor finds the server ready, conformance is incomplete: ${conformance.incompleteReason}`,
    );
  const judged = [
    ...conformance.checks.filter(({ status }) => status === "failed"),
    ...conformance.readiness,
  ].map(({ id }) => id);
  const advised = conformance.checks.flatMap(({ id, warnings }) => (warnings ? [id] : []));
  const untold = told.filter((id) => !judged.includes(id) && !advised.includes(id));
  if (untold.length > 0) said.push(`only the doctor tells of ${untold.join(", ")}`);
  const unnoticed = judged.filter(
    (id) =>
      wireIds.has(id) &&
      ![...told, ...(withoutOccasion[row.name] ?? [])].includes(id) &&
      !unseenByDoctor.has(id),
  );
  if (unnoticed.length > 0) said.push(`only conformance tells of ${unnoticed.join(", ")}`);
  return said;
}

/** One fault has one sentence, and one severity for what each command is for: whoever says otherwise. */
export function disagreementsIn(row: RowOfVerdicts): string[] {
  return row.doctor.findings.flatMap((finding) => {
    const { check, rule, word } = finding.evidence;
    const known = wireRules.find(({ checkId, code }) => checkId === check && code === rule);
    const said = known?.rules.find((sentence) => sentence.word === word);
    if (!known || !said) return [];
    return disagreementsAbout({ rule: known, said }, finding, row).map((words) => `${known.code}: ${words}`);
  });
}

function disagreementsAbout(
  fault: Pick<WireFault, "rule" | "said">,
  { summary, severity }: DoctorFinding,
  { doctor: report, conformance, list, call, validate, compat }: RowOfVerdicts,
): string[] {
  const said: string[] = [];
  const isOpen = report.connection.status === "connected";
  const sentence = plainly(summary);
  const inUse = severityFor("use", fault);
  // What ended the connection is an error, whatever rule it breaks.
  if (severity !== inUse && (isOpen || report.findings[0]?.summary !== summary))
    said.push(`the doctor says ${severity}, the table ${inUse}`);
  const isWarned = severityFor("answer", fault) === "warning" && !unseenInPassing.has(fault.rule.code);
  const plain = readsSchemas.has(fault.rule.code) ? { list, validate } : { list, call, validate, compat };
  for (const [name, { warnings, said: printed }] of Object.entries(plain)) {
    const isTold = plainly([...warnings, printed].join("\n")).includes(sentence);
    if (isTold !== isWarned && isOpen) said.push(`${name} ${isTold ? "tells" : "does not tell"} ${summary}`);
    if (!isOpen && isWarned && !isTold) said.push(`${name} fails and does not say ${summary}`);
  }
  if (isOpen && inUse === "error" && !unseenInPassing.has(fault.rule.code) && validate.exitCode !== 1)
    said.push("validate passes");
  if ("cause" in conformance) return said;
  const id = fault.rule.checkId;
  const told = conformance.checks.find((one) => one.id === id);
  const advice = conformance.readiness.find((one) => one.id === id);
  const isFailed = told?.status === "failed";
  if (isFailed !== isDueToFail(id, report)) said.push(`conformance: ${id} ${told?.status}`);
  const words = [
    told?.error?.message,
    ...(told?.warnings ?? []).map(({ message }) => message),
    advice?.message,
  ];
  if (!plainly(words.join("\n")).includes(sentence))
    said.push(`conformance says ${words.join("; ")}, the doctor ${summary}`);
  return said;
}

/** A check may tell several faults: the worst of them decides. */
function isDueToFail(checkId: string, { findings }: DoctorReport): boolean {
  return findings.some(({ evidence }) => {
    const known = wireRules.find(({ code }) => code === evidence.rule && evidence.check === checkId);
    const broken = known?.rules.find(({ word }) => word === evidence.word);
    return known && broken && severityFor("rules", { rule: known, said: broken }) === "error";
  });
}

/** Seen by those who read the schemas of all tools. */
const readsSchemas = new Set(["INPUT_SCHEMA_ADVISED", "INPUT_SCHEMA_INVALID", "INPUT_SCHEMA_OUTSIDE"]);

/** Seen by those who ask for progress, read resources or prompts, or open a second session: the doctor and the suite. */
const unseenInPassing = new Set([
  "CAPABILITY_NOT_SERVED",
  "PROGRESS_AFTER_ANSWER",
  "PROGRESS_NOT_RISING",
  "PROMPT_ROLE_UNKNOWN",
  "SESSION_GUESSABLE",
]);

/** Without what differs from one conversation to the next: numbers, how many more there were, and the full stop. */
function plainly(text: string): string {
  return text
    .replace(/ \((?:and )?\d+ (?:more|times)\)/g, "")
    .replace(/\d+/g, "#")
    .replace(/\.(?=\n|$)/g, "");
}

/** What the doctor and the plain commands say of the same: the API's word for a failure, and every fault worth a warning once. */
function plainContradictions({ doctor: report, list, call, told }: RowOfVerdicts): string[] {
  const said: string[] = [];
  const isOpen = report.connection.status === "connected";
  if (!isOpen && list.code !== report.error?.code)
    said.push(`the doctor's error is ${report.error?.code}, that of tools list ${list.code}`);
  if (!isOpen && call.code !== list.code) said.push(`tools list says ${list.code}, tools call ${call.code}`);
  if (list.code !== undefined) return said;
  for (const warning of list.warnings)
    if (list.warnings.filter((other) => other === warning).length > 1) said.push(`twice: ${warning}`);
  const seen = report.findings.map(({ evidence }) => String(evidence.rule));
  const binding = told.filter((id) =>
    wireRules.some(
      ({ code, checkId, rules, breaksClients }) =>
        checkId === id &&
        seen.includes(code) &&
        !unseenInPassing.has(code) &&
        (breaksClients || rules.some(({ word }) => word === "MUST")),
    ),
  );
  if (binding.length > list.warnings.length)
    said.push(`the doctor tells of ${binding.join(", ")}, tools list warns ${list.warnings.length} times`);
  return said;
}
