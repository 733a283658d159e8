/** @module From what was observed of a server and what is known of each host to a verdict per host. Pure. */
import { appsRules, canRender, type Draft, type Rule } from "./apps-rules.ts";
import {
  type CompatFinding,
  type CompatFindingCode,
  type CompatJudgement,
  type CompatLane,
  type CompatVerdict,
  compatVerdicts,
  type HostVerdict,
} from "./compat-report.ts";
import { type Confidence, type HostFacts, sourcesOf } from "./host-facts.ts";
import type { CompatObservations } from "./observe-compat.ts";
import { wayConfidence } from "./reach-rules.ts";
import { type CompatServer, readNeeds } from "./server-needs.ts";
import { serverRules, versionsUnknown } from "./server-rules.ts";

export function judgeCompat(observed: CompatObservations, hosts: readonly HostFacts[]): CompatJudgement {
  const server = readNeeds(observed);
  const verdicts = hosts.map((host) => judgeHost(host, server));
  const countOf = (verdict: CompatVerdict) => verdicts.filter((each) => each.verdict === verdict).length;
  return {
    widgets: {
      total: server.widgetTools.length,
      appOnly: server.widgetTools.filter(({ ui }) => ui.appOnly).length,
    },
    unknownDimensions: [...server.unknown],
    summary: {
      works: countOf("works"),
      unknown: countOf("unknown"),
      degraded: countOf("degraded"),
      blocked: countOf("blocked"),
    },
    hosts: verdicts,
  };
}

function judgeHost(host: HostFacts, server: CompatServer): HostVerdict {
  const apps = findingsOf("apps", appsRules, host, server);
  const own = findingsOf("server", serverRules, host, server);
  const unknown = { apps: appsUnknown(host, server), server: serverUnknown(host, server) };
  const lanes = { apps: laneVerdict(apps, unknown.apps), server: laneVerdict(own, unknown.server) };
  const findings = [...own, ...apps];
  const verdict = worst(lanes.apps, lanes.server);
  const hasUnknowns = unknown.apps || unknown.server || findings.some(isOpen);
  return {
    hostId: host.id,
    hostLabel: host.label,
    verdict,
    hasUnknowns,
    confidence: confidenceIn(verdict, findings, host, server, lanes.server !== "unknown"),
    lanes,
    provenance: host.provenance,
    verifiedAt: host.verifiedAt,
    findings,
  };
}

const surest: readonly Confidence[] = ["low", "medium", "high"];

/** Of what decided; of a server that works, of the way to it and of whatever else is worth knowing. */
function confidenceIn(
  verdict: CompatVerdict,
  findings: readonly CompatFinding[],
  host: HostFacts,
  server: CompatServer,
  isServerKnown: boolean,
): Confidence {
  if (verdict === "unknown") return "low";
  const most = confidenceOfDeciding(verdict, findings, host, server);
  // Nothing is sure of a host of which not even the server's own part is known.
  return isServerKnown || most === "low" ? most : "medium";
}

function confidenceOfDeciding(
  verdict: Exclude<CompatVerdict, "unknown">,
  findings: readonly CompatFinding[],
  host: HostFacts,
  server: CompatServer,
): Confidence {
  const severity = { works: "info", degraded: "degraded", blocked: "blocker" } as const;
  const deciding = findings.filter((finding) => finding.severity === severity[verdict]);
  const told = deciding.map(({ confidence }) => confidence);
  const way = wayConfidence(host, server) ?? (host.provenance === "assumed" ? "low" : "high");
  // One sure reason is enough against a server; for it every one counts.
  if (verdict !== "works") return surest.findLast((each) => told.includes(each)) ?? "low";
  return surest.find((each) => [...told, way].includes(each)) ?? "low";
}

function findingsOf(
  lane: CompatLane,
  rules: readonly Rule[],
  host: HostFacts,
  server: CompatServer,
): CompatFinding[] {
  return rules.flatMap((rule) => rule(host, server)).map((draft) => sourced(lane, host, draft));
}

/** A host is blocked only on the word of a source: what is merely assumed of it leaves the question open. */
function sourced(lane: CompatLane, host: HostFacts, draft: Draft): CompatFinding {
  const finding: CompatFinding = {
    lane,
    confidence: host.provenance === "assumed" ? "low" : "high",
    sources: sourcesOf(host),
    ...draft,
    provenance: host.provenance,
  };
  if (finding.severity !== "blocker" || finding.confidence !== "low") return finding;
  return { ...finding, severity: "info", detail: `${finding.detail} That is assumed; no source says so.` };
}

/** Not knowing the whole list of tools, nothing may be promised. */
function listUnknown({ unknown }: CompatServer): boolean {
  return unknown.has("tools") || unknown.has("tool-list-truncated");
}

function appsUnknown(host: HostFacts, server: CompatServer): boolean {
  const unread = server.widgetTools.some((tool) => tool.needs === undefined && canRender(host, tool));
  const unlisted = server.widgetTools.some((tool) => canRender(host, tool)) && !host.apps.capabilities;
  return listUnknown(server) || unread || unlisted;
}

function serverUnknown(host: HostFacts, server: CompatServer): boolean {
  return listUnknown(server) || versionsUnknown(host, server);
}

/** Worth knowing, and no reason to doubt: unlike a version that is not known to fit, or a way that is not known to lead there. */
const harmless = new Set<CompatFindingCode>([
  "annotations_ignored",
  "capability_unsupported",
  "protocol_version_negotiated",
  "visibility_ignored",
]);

function isOpen({ code, severity }: CompatFinding): boolean {
  return severity === "info" && !harmless.has(code);
}

function laneVerdict(findings: readonly CompatFinding[], unknown: boolean): CompatVerdict {
  if (findings.some(({ severity }) => severity === "blocker")) return "blocked";
  if (findings.some(({ severity }) => severity === "degraded")) return "degraded";
  return unknown || findings.some(isOpen) ? "unknown" : "works";
}

function worst(first: CompatVerdict, second: CompatVerdict): CompatVerdict {
  return compatVerdicts[Math.max(compatVerdicts.indexOf(first), compatVerdicts.indexOf(second))] ?? "unknown";
}
