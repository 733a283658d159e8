/** @module The doctor's verdict: from what was seen to a report. Pure: the same observations give the same report, now or next year. */
import { counted, pluralOf } from "@fettle/contract/formats";
import {
  challengeProblems,
  type FailureCause,
  type ListProblem,
  McpError,
  parseBearerChallenge,
  type Tool,
} from "@fettle/mcp";
import type { HostFacts } from "../compat/host-facts.ts";
import { refusedNames } from "../compat/server-rules.ts";
import { judgeInputSchemas } from "../wire/schema-rules.ts";
import { severityFor } from "../wire/wire-rules.ts";
import type { DoctorObservations, ListName, ObservedList } from "./doctor-observations.ts";
import type {
  DoctorCheck,
  DoctorCheckName,
  DoctorFinding,
  DoctorReport,
  DoctorStatus,
} from "./doctor-report.ts";
import { brokenRules, factsOf, ruleEvidence, toldOnce, worstFirst } from "./doctor-rules.ts";
import { nextStep } from "./next-step.ts";
import { causeOf, type ObservedFailure, observeFailure } from "./observed-failure.ts";
import type { ProbeReport } from "./probe-report.ts";
import { toolsMetadataOf } from "./tools-metadata.ts";

interface Verdict {
  check: DoctorCheck;
  findings: DoctorFinding[];
  /** Behind an error, for the report's own error. */
  cause?: FailureCause;
}

/** `hosts`: what is known of clients that refuse some servers. */
export function judgeDoctor(seen: DoctorObservations, hosts: readonly HostFacts[] = []): DoctorReport {
  const verdicts: Record<DoctorCheckName, Verdict> = {
    probe: judgeProbe(seen),
    connection: judgeConnection(seen),
    initialization: judgeInitialization(seen),
    capabilities: judgeCapabilities(seen),
    tools: judgeList(seen, "tools", hosts),
    resources: judgeList(seen, "resources"),
    resourceTemplates: judgeList(seen, "resourceTemplates"),
    prompts: judgeList(seen, "prompts"),
  };
  const status = statusOf(seen, verdicts);
  const initInfo = seen.connection.kind === "connected" ? seen.connection.initInfo : null;
  const tools = itemsOf(seen.lists?.tools);
  return {
    target: seen.target,
    generatedAt: seen.at,
    status,
    probe: seen.probe?.report ?? null,
    connection: connectionSummary(seen.connection.kind === "connected", verdicts.connection.check),
    initInfo,
    capabilities: initInfo?.serverCapabilities ?? null,
    tools,
    toolsMetadata: toolsMetadataOf(tools),
    resources: itemsOf(seen.lists?.resources),
    resourceTemplates: itemsOf(seen.lists?.resourceTemplates),
    prompts: itemsOf(seen.lists?.prompts),
    checks: mapValues(verdicts, ({ check }) => check),
    findings: worstFirst(toldOnce(Object.values(verdicts).flatMap(({ findings }) => findings))),
    error: errorOf(verdicts),
  };
}

function statusOf(seen: DoctorObservations, verdicts: Record<DoctorCheckName, Verdict>): DoctorStatus {
  if (seen.connection.kind === "locked") return "oauth_required";
  if (seen.connection.kind !== "connected") return "error";
  return Object.values(verdicts).some(({ check }) => check.status === "error") ? "partial" : "ready";
}

function judgeProbe({ probe, connection }: DoctorObservations): Verdict {
  if (!probe) return skipped("not for a command");
  const { report, durationMs } = probe;
  const attempts = report.transport.attempts.length;
  const said = `${report.status}${report.error === undefined ? "" : `: ${report.error}`}`;
  if (report.status === "ready") {
    return ok(
      `ready over ${report.transport.selected}, ${attempts} request${attempts === 1 ? "" : "s"}`,
      durationMs,
    );
  }
  if (connection.kind === "locked") return ok("asks for a credential", durationMs);
  if (connection.kind === "connected") {
    if (report.status === "oauth_required") return ok("asks for a credential; one was given", durationMs);
    if (isRedirected(report)) return ok("redirects, and a client follows", durationMs);
    return {
      check: { status: "ok", detail: `${said}; a client connects all the same`, durationMs },
      findings: [
        {
          check: "probe",
          severity: "warning",
          code: "PROBE_DISAGREES",
          summary: `A single hand-made request was not answered as MCP, but a client connects (${said}).`,
          evidence: { status: report.status, ...(report.error !== undefined && { error: report.error }) },
          next: {
            text: "If it happens again, look at the server's log for the first request after a pause.",
          },
        },
      ],
    };
  }
  return { check: { status: "error", detail: said, durationMs }, findings: [] };
}

function isRedirected({ transport }: ProbeReport): boolean {
  return transport.attempts.some(
    ({ response }) => response && response.status >= 300 && response.status < 400,
  );
}

function judgeConnection(seen: DoctorObservations): Verdict {
  const { connection } = seen;
  switch (connection.kind) {
    case "connected": {
      const { transport, protocolVersion } = connection.initInfo;
      const detail = `${transport}, protocol ${protocolVersion}`;
      const findings = brokenRules(connection.problems, factsOf(seen));
      const broken = findings.find(({ severity }) => severity === "error");
      const { durationMs } = connection;
      if (!broken) return { ...ok(detail, durationMs), findings };
      const said = `${detail}; other clients fail: ${broken.summary}`;
      return { check: { status: "error", detail: said, durationMs }, findings };
    }
    case "failed": {
      const verdict = failed(seen, "connection", connection.failure, connection.durationMs);
      const problems = connection.failure.details.problems ?? [];
      return { ...verdict, findings: [...verdict.findings, ...brokenRules(problems, factsOf(seen))] };
    }
    case "pointless":
      return failed(seen, "connection", connection.failure);
    case "locked": {
      const failure = lockedFailure(seen);
      const verdict = failed(seen, "connection", failure);
      return {
        ...verdict,
        check: { status: "skipped", detail: verdict.check.detail },
        findings: [...verdict.findings, ...brokenRules(failure.details.problems ?? [], factsOf(seen))],
      };
    }
  }
}

/** The server wants a credential and none was given: what it publishes decides how to get one. */
function lockedFailure({ probe, target }: DoctorObservations): ObservedFailure {
  const oauth = probe?.report.oauth;
  const pointer = parseBearerChallenge(oauth?.wwwAuthenticate)?.resourceMetadata;
  const found = oauth?.resourceMetadataUrl ?? pointer;
  const problems = challengeProblems(parseBearerChallenge(oauth?.wwwAuthenticate));
  return observeFailure(
    new McpError("AUTH_REQUIRED", "The server wants a credential.", {
      details: {
        url: target.url ?? "",
        status: 401,
        ...(oauth?.wwwAuthenticate !== undefined && { wwwAuthenticate: oauth.wwwAuthenticate }),
        ...(found !== undefined && { challenge: { resourceMetadata: found }, resourceMetadataUrl: found }),
        ...(oauth?.authorizationServerMetadataUrl !== undefined && {
          authorizationServerMetadataUrl: oauth.authorizationServerMetadataUrl,
        }),
        ...(oauth && { registrationStrategies: oauth.registrationStrategies }),
        ...(oauth?.discoveryError !== undefined && { discoveryError: oauth.discoveryError }),
        ...(problems.length > 0 && { problems }),
      },
    }),
  );
}

function judgeInitialization({ connection }: DoctorObservations): Verdict {
  if (connection.kind !== "connected") return skipped("no connection");
  const { serverVersion, protocolVersion } = connection.initInfo;
  if (serverVersion) {
    const { name = "unnamed", version = "" } = serverVersion;
    return ok(`${String(name)} ${String(version)}`.trim());
  }
  return {
    check: { status: "ok", detail: `protocol ${protocolVersion}, no name given` },
    findings: [
      {
        check: "initialization",
        severity: "warning",
        code: "SERVER_WITHOUT_NAME",
        summary: "The server does not say its name and version.",
        evidence: { protocolVersion },
        next: { text: "Set the server's name and version; hosts show them, and logs need them." },
      },
    ],
  };
}

function judgeCapabilities({ connection }: DoctorObservations): Verdict {
  if (connection.kind !== "connected") return skipped("no connection");
  const names = Object.keys(connection.initInfo.serverCapabilities);
  return ok(names.length === 0 ? "none advertised" : names.join(", "));
}

const capabilityOf: Record<ListName, string> = {
  tools: "tools",
  resources: "resources",
  resourceTemplates: "resources",
  prompts: "prompts",
};

const nouns: Record<ListName, string> = {
  tools: "tool",
  resources: "resource",
  resourceTemplates: "resource template",
  prompts: "prompt",
};

function judgeList(seen: DoctorObservations, name: ListName, hosts: readonly HostFacts[] = []): Verdict {
  const list = seen.lists?.[name];
  if (!list || seen.connection.kind !== "connected") return skipped("no connection");
  const isAdvertised = capabilityOf[name] in seen.connection.initInfo.serverCapabilities;
  if (list.kind === "failed") return judgeFailedList(seen, name, list, isAdvertised);
  const { items, truncatedBecause, pages, durationMs } = list;
  const findings: DoctorFinding[] = [];
  if (name === "tools" || name === "prompts")
    findings.push(...brokenRules(seen.connection.problems, factsOf(seen), name));
  if (name === "tools") {
    findings.push(...refusedNames(hosts, itemsOf(seen.lists?.tools)).map(refusedName));
  }
  if (!isAdvertised && items.length > 0) findings.push(notAdvertised(name, items.length));
  if (truncatedBecause !== undefined) findings.push(cutShort(name, truncatedBecause, pages));
  // That a tool's name came before is a rule of the wire, and told with them.
  const problems = list.problems.filter(({ isRepetition }) => !(isRepetition && name === "tools"));
  findings.push(...malformedItems(name, problems));
  const { protocolVersion } = seen.connection.initInfo;
  if (name === "tools")
    findings.push(...itemsOf(seen.lists?.tools).flatMap((tool) => badSchema(tool, protocolVersion)));
  if (problems.length > 0) {
    const detail = `${items.length} listed, ${problems.length} malformed`;
    return { check: { status: "error", detail, durationMs }, findings };
  }
  const broken = findings.find(({ severity }) => severity === "error");
  if (broken) {
    const detail = `${items.length} listed; other clients fail: ${broken.summary}`;
    return { check: { status: "error", detail, durationMs }, findings };
  }
  if (!isAdvertised && items.length === 0) return { ...skipped("not advertised"), findings };
  return { check: { status: "ok", detail: `${items.length} listed`, durationMs }, findings };
}

function judgeFailedList(
  seen: DoctorObservations,
  name: ListName,
  list: Extract<ObservedList, { kind: "failed" }>,
  isAdvertised: boolean,
): Verdict {
  if (!isAdvertised) return skipped("not advertised");
  const isUnknownMethod = list.failure.code === "RPC_ERROR" && list.failure.details.rpcCode === -32601;
  // Templates are a part of resources that a server may leave out; the rest is told by its rule.
  if (isUnknownMethod && name !== "tools")
    return skipped(name === "resourceTemplates" ? "not offered" : "declared, but not served");
  return failed(seen, name, list.failure, list.durationMs);
}

function notAdvertised(name: ListName, count: number): DoctorFinding {
  return {
    check: name,
    severity: "warning",
    code: "NOT_ADVERTISED",
    summary: `The server lists ${counted(count, nouns[name])} but does not advertise the "${capabilityOf[name]}" capability.`,
    evidence: { capability: capabilityOf[name], count },
    next: { text: "Advertise the capability; most hosts do not ask for what is not advertised." },
  };
}

function cutShort(name: ListName, because: string, pages: number): DoctorFinding {
  const cycle = because === "cycle";
  return {
    check: name,
    severity: "warning",
    code: "LIST_CUT_SHORT",
    summary: cycle
      ? `The list of ${pluralOf(nouns[name])} runs in a circle: a cursor came back a second time.`
      : `The list of ${pluralOf(nouns[name])} was not read to its end after ${counted(pages, "page")}.`,
    evidence: { because, pages },
    next: { text: cycle ? "Return no nextCursor on the last page." : "Offer fewer, or larger pages." },
  };
}

/** More would bury the rest; JSON has the lists themselves. */
const shownItems = 10;

function malformedItems(name: ListName, problems: readonly ListProblem[]): DoctorFinding[] {
  const shown = problems.slice(0, shownItems).map((problem) => malformedItem(name, problem));
  const more = problems.length - shown.length;
  const [last] = shown.slice(-1);
  if (more === 0 || !last) return shown;
  return [
    ...shown,
    {
      ...last,
      summary: `${counted(more, `more ${nouns[name]}`)} ${more === 1 ? "is" : "are"} malformed.`,
      evidence: { more },
    },
  ];
}

function malformedItem(
  name: ListName,
  problem: { name?: string; reason: string; page: number; index: number },
): DoctorFinding {
  const called =
    problem.name === undefined
      ? `item ${problem.index + 1} of page ${problem.page + 1}`
      : `"${problem.name}"`;
  return {
    check: name,
    severity: "error",
    code: "MALFORMED_ITEM",
    summary: `In the list of ${pluralOf(nouns[name])}, ${called} is malformed: ${problem.reason}.`,
    evidence: { page: problem.page, index: problem.index, reason: problem.reason },
    next: { text: "Hosts drop such an item or the whole list; mend its definition." },
  };
}

function refusedName({ name, sentence }: { name: string; sentence: string }): DoctorFinding {
  return {
    check: "tools",
    severity: "error",
    code: "TOOL_NAME_REFUSED",
    summary: sentence,
    evidence: { tool: name },
    next: { text: "Use letters, digits, _ and -, at most 64 of them." },
  };
}

/** The worst fault of a tool's schema: a host that reads it may refuse the tool. */
function badSchema(tool: Tool, protocolVersion: string): DoctorFinding[] {
  const findings = judgeInputSchemas([tool], protocolVersion).map((fault): DoctorFinding => {
    const { rule, said, path, reason } = fault;
    return {
      check: "tools",
      severity: severityFor("use", fault),
      code: "BAD_SCHEMA",
      summary: fault.sentence,
      evidence: { tool: tool.name, path, reason, ...ruleEvidence(rule, said) },
      next: { text: rule.hint },
    };
  });
  return worstFirst(findings).slice(0, 1);
}

function ok(detail: string, durationMs?: number): Verdict {
  return { check: { status: "ok", detail, ...(durationMs !== undefined && { durationMs }) }, findings: [] };
}

function skipped(detail: string): Verdict {
  return { check: { status: "skipped", detail }, findings: [] };
}

function failed(
  { target, endpoints }: DoctorObservations,
  check: DoctorCheckName,
  failure: ObservedFailure,
  durationMs?: number,
): Verdict {
  const cause = causeOf(failure);
  return {
    check: { status: "error", detail: cause.summary, ...(durationMs !== undefined && { durationMs }) },
    cause,
    findings: [
      {
        check,
        severity: "error",
        code: cause.code,
        summary: cause.summary,
        evidence: cause.evidence,
        next: nextStep(cause, { target, endpoints: check === "connection" ? endpoints : [] }),
      },
    ],
  };
}

function connectionSummary(isOpen: boolean, { status, detail }: DoctorCheck): DoctorReport["connection"] {
  return { status: isOpen || status === "ok" ? "connected" : status, detail };
}

function errorOf(verdicts: Record<DoctorCheckName, Verdict>): DoctorReport["error"] {
  const { cause } = Object.values(verdicts).find((verdict) => verdict.cause) ?? {};
  if (!cause) return null;
  return { code: cause.apiCode, message: cause.summary, details: { cause: cause.code, ...cause.evidence } };
}

function itemsOf<T>(list: ObservedList<T> | undefined): T[] {
  return list?.kind === "listed" ? list.items : [];
}

function mapValues<K extends string, V, R>(record: Record<K, V>, change: (value: V) => R): Record<K, R> {
  return Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, change(value)])) as Record<
    K,
    R
  >;
}
