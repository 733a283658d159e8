/** @module From what was observed of a server and what is known of each host to a verdict per host. Pure. */
import { appsRules, canRender, type Draft, type Rule } from "./apps-rules.ts";
import {
  type CompatFinding,
  type CompatJudgement,
  type CompatLane,
  type CompatVerdict,
  compatVerdicts,
  type HostVerdict,
} from "./compat-report.ts";
import { type HostFacts, sourcesOf } from "./host-facts.ts";
import type { CompatObservations } from "./observe-compat.ts";
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
  const lanes = {
    apps: laneVerdict(apps, appsUnknown(host, server)),
    server: laneVerdict(own, serverUnknown(host, server)),
  };
  return {
    hostId: host.id,
    hostLabel: host.label,
    verdict: worst(lanes.apps, lanes.server),
    lanes,
    provenance: host.provenance,
    verifiedAt: host.verifiedAt,
    findings: [...own, ...apps],
  };
}

function findingsOf(
  lane: CompatLane,
  rules: readonly Rule[],
  host: HostFacts,
  server: CompatServer,
): CompatFinding[] {
  return rules.flatMap((rule) => rule(host, server)).map((draft) => sourced(lane, host, draft));
}

function sourced(lane: CompatLane, host: HostFacts, draft: Draft): CompatFinding {
  return {
    lane,
    confidence: host.provenance === "assumed" ? "low" : "high",
    sources: sourcesOf(host),
    ...draft,
    provenance: host.provenance,
  };
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

const openQuestions = new Set(["protocol_version_mismatch", "reach_unknown"]);

function laneVerdict(findings: readonly CompatFinding[], unknown: boolean): CompatVerdict {
  if (findings.some(({ severity }) => severity === "blocker")) return "blocked";
  if (findings.some(({ severity }) => severity === "degraded")) return "degraded";
  // A version that is not known to fit, a way that is not known to lead there: open questions, unlike the other things worth knowing.
  const open = findings.some(({ code }) => openQuestions.has(code));
  return unknown || open ? "unknown" : "works";
}

function worst(first: CompatVerdict, second: CompatVerdict): CompatVerdict {
  return compatVerdicts[Math.max(compatVerdicts.indexOf(first), compatVerdicts.indexOf(second))] ?? "unknown";
}
