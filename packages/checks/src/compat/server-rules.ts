/** @module What a host makes of the server itself: versions, transport, names, counts, schemas, capabilities, annotations. */
import { counted } from "@fettle/contract/formats";
import { eraOfVersion, isObject, isPlainToolName, type Tool } from "@fettle/mcp";
import type { Draft, Rule } from "./apps-rules.ts";
import type { CompatFinding } from "./compat-report.ts";
import type { HostFacts, HostLimits } from "./host-facts.ts";
import { transport } from "./reach-rules.ts";
import type { CompatServer } from "./server-needs.ts";

/**
 * A probe shows which versions a host asks for, not all it would take. Clients negotiate down, so an older counter-offer is worth
 * knowing and no more; a newer one is an open question. A server that shakes no hands at all is another matter for a host that knows
 * nothing else.
 */
const protocolVersion: Rule = (host, { versions }) => {
  const known = host.protocol.advertisedVersions;
  if (!known || versions.some(({ version, is }) => is === "accepted" && known.includes(version))) return [];
  if (versions.some(({ version, is }) => is === "unknown" && known.includes(version))) return [];
  const tried = versions.filter(({ version }) => known.includes(version));
  const shakesHands = versions.some(
    ({ version, is }) => is === "countered" || (is === "accepted" && eraOfVersion(version) === "stateful"),
  );
  const stateless = tried.length > 0 && !shakesHands && known.every((v) => eraOfVersion(v) === "stateful");
  const accepted = versions.filter(({ is }) => is === "accepted").map(({ version }) => version);
  const newest = known.toSorted().at(-1) ?? "";
  const older = accepted.filter((version) => eraOfVersion(version) === "stateful" && version < newest);
  if (older.length > 0) {
    return [
      {
        severity: "info",
        code: "protocol_version_negotiated",
        title: "The host has to negotiate an older version",
        detail: `${host.label} asks for ${known.join(", ")}; the server agrees to ${older.join(", ")}, which clients take as the answer to a newer one.`,
        remediation: `Accept ${newest} as well.`,
        evidence: { versions },
        confidence: "medium",
      },
    ];
  }
  return [
    {
      severity: stateless ? "blocker" : "info",
      code: "protocol_version_mismatch",
      title: stateless ? "The server refuses this host's handshake" : "No protocol version is known to fit",
      detail: stateless
        ? `${host.label} opens with initialize (${known.join(", ")}); the server speaks only ${accepted.join(", ")}.`
        : `${host.label} is known to speak ${known.join(", ")}; the server agreed to ${accepted.join(", ")}.`,
      remediation: `Accept ${known.at(-1)} as well.`,
      evidence: { versions },
    },
  ];
};

type Consequence = Pick<CompatFinding, "severity"> & { words: string };

/** What happens to a server that breaks a limit. */
function consequence({ label }: HostFacts, how: HostLimits["onViolation"] | "rejected"): Consequence {
  switch (how) {
    case "session-rejected":
    case "rejected":
      return { severity: "blocker", words: `${label} refuses every request while such a tool is offered.` };
    case "listing-rejected":
      return { severity: "degraded", words: `${label} refuses such a server in its directory.` };
    case "request-error":
      return { severity: "degraded", words: `${label} answers with an error instead of using the tools.` };
    default:
      return { severity: "degraded", words: `${label} drops such tools without a word.` };
  }
}

function sourceOf(limits: HostLimits): Pick<CompatFinding, "confidence" | "sources"> {
  return { confidence: limits.confidence, sources: limits.evidence };
}

const namePattern = (host: HostFacts, { tools }: Pick<CompatServer, "tools">): Draft[] => {
  const { limits } = host;
  if (!limits?.toolNamePattern) return [];
  // The length is a rule of its own, so here only the characters count.
  const characters = new RegExp(limits.toolNamePattern.replace(/\{1,\d+\}\$$/, "+$"));
  const odd = tools.filter(({ name }) => !characters.test(name)).map(({ name }) => name);
  if (odd.length === 0) return [];
  const { severity, words } = consequence(host, limits.onViolation);
  return [
    {
      severity,
      code: "tool_name_rejected",
      title: "Tool names hold characters the host refuses",
      detail: `Names must match ${limits.toolNamePattern}. ${words}`,
      remediation: "Use letters, digits, _ and - alone.",
      tools: odd,
      evidence: { pattern: limits.toolNamePattern },
      ...sourceOf(limits),
    },
  ];
};

/** The name a server gets when it is installed is the person's choice; what it calls itself is the best guess. */
const nameLength = (host: HostFacts, server: Pick<CompatServer, "name" | "tools">): Draft[] => {
  const { limits } = host;
  if (!limits) return [];
  const installedAs = server.name ?? "";
  const rules: { limit: number; lengthOf(tool: Tool): number; needsServerName: boolean }[] = [];
  if (limits.toolNameMaxLength !== undefined) {
    const counts = limits.prefixCountsTowardLength === true && limits.toolNamePrefix !== undefined;
    const prefix = counts ? (limits.toolNamePrefix ?? "").replace("{server}", installedAs) : "";
    rules.push({
      limit: limits.toolNameMaxLength,
      lengthOf: ({ name }) => prefix.length + name.length,
      needsServerName: counts,
    });
  }
  if (limits.combinedServerAndToolNameMaxLength !== undefined) {
    rules.push({
      limit: limits.combinedServerAndToolNameMaxLength,
      lengthOf: ({ name }) => installedAs.length + name.length,
      needsServerName: true,
    });
  }
  return rules.flatMap(({ limit, lengthOf, needsServerName }): Draft[] => {
    const long = server.tools.filter((tool) => lengthOf(tool) > limit);
    if (long.length === 0) return [];
    const { severity, words } = consequence(host, limits.onViolation);
    const how = needsServerName ? `, the server's name (${installedAs || "unknown"}) included` : "";
    return [
      {
        severity,
        code: "tool_name_too_long",
        title: "Tool names are too long",
        detail: `At most ${limit} characters${how}. ${words}`,
        remediation: "Shorten the names, or tell people to install the server under a short one.",
        tools: long.map(({ name }) => name),
        evidence: { limit, longest: Math.max(...long.map(lengthOf)) },
        ...sourceOf(limits),
      },
    ];
  });
};

/**
 * Names for which some host refuses the whole server, each with the sentence that says so. What no revision allows is a rule of
 * the wire, and told with those.
 */
export function refusedNames(
  hosts: readonly HostFacts[],
  tools: readonly Tool[],
): { name: string; sentence: string }[] {
  const plain = tools.filter(({ name }) => isPlainToolName(name));
  const found = new Map<string, string>();
  for (const host of hosts) {
    // A length that counts the server's installed name is the person's choice, and not known here.
    const { prefixCountsTowardLength: counts, combinedServerAndToolNameMaxLength: combined } =
      host.limits ?? {};
    const lengths = counts || combined !== undefined ? [] : nameLength(host, { name: null, tools: plain });
    for (const { severity, tools: odd = [], detail } of [
      ...namePattern(host, { tools: plain }),
      ...lengths,
    ]) {
      if (severity !== "blocker") continue;
      for (const name of odd) if (!found.has(name)) found.set(name, detail);
    }
  }
  return [...found].map(([name, why]) => ({
    name,
    sentence: `The tool name ${JSON.stringify(name)} is refused. ${why}`,
  }));
}

const toolCount: Rule = (host, { tools }) => {
  const { limits } = host;
  const limit = limits?.maxTools ?? limits?.maxToolsSent;
  if (!limits || limit === undefined || tools.length <= limit) return [];
  const rest = limits.maxTools === undefined ? `only the first ${limit} reach the model` : "";
  const { words } = consequence(host, limits.onViolation);
  return [
    {
      severity: "degraded",
      code: "tool_count_exceeded",
      title: "More tools than the host takes",
      detail: `${counted(tools.length, "tool")}; ${host.label} takes ${limit}${limits.maxTools === undefined ? "" : ", all servers together"}: ${rest || words}`,
      remediation: "Offer fewer tools, or let people choose groups of them.",
      evidence: { tools: tools.length, limit },
      ...sourceOf(limits),
      ...(limits.maxToolsConfidence && { confidence: limits.maxToolsConfidence }),
    },
  ];
};

const compositions = ["oneOf", "anyOf", "allOf"] as const;

const schemaComposition: Rule = (host, { tools }) => {
  const { limits } = host;
  if (!limits?.topLevelSchemaComposition) return [];
  const composed = tools.filter(({ inputSchema }) => compositions.some((word) => word in inputSchema));
  if (composed.length === 0) return [];
  const { severity, words } = consequence(host, limits.topLevelSchemaComposition);
  return [
    {
      severity,
      code: "schema_top_level_composition",
      title: "Input schemas are composed at their root",
      detail: `oneOf, anyOf and allOf are refused at the root of inputSchema. ${words}`,
      remediation: "Move the alternatives into a property, or make two tools of one.",
      tools: composed.map(({ name }) => name),
      evidence: {
        keywords: compositions.filter((word) => composed.some(({ inputSchema }) => word in inputSchema)),
      },
      ...sourceOf(limits),
    },
  ];
};

const askedFor: Record<string, string> = {
  "sampling/createMessage": "sampling",
  "elicitation/create": "elicitation",
  "roots/list": "roots",
};

/** A need is what was seen: questions put to a client that had not offered to take any. */
const clientCapability: Rule = (host, { taskTools, askedUndeclared }) => {
  const declared = host.clientCapabilities;
  const needs: { capability: string; evidence: Record<string, unknown>; detail: string }[] =
    askedUndeclared.flatMap((method) => {
      const capability = askedFor[method];
      if (capability === undefined) return [];
      const detail = `The server sends ${method} to every client; ${host.label} does not take it.`;
      return [{ capability, evidence: { asked: method }, detail }];
    });
  const missing: Draft[] = needs
    .filter(({ capability }) => !isObject(declared[capability]))
    .map(({ capability, evidence, detail }) => ({
      severity: "degraded",
      code: "client_capability_missing",
      title: `The host does not offer ${capability}`,
      detail,
      remediation: "Ask only clients that declared the capability.",
      capability,
      evidence,
    }));
  const isAsked = taskTools.length > 0 && !host.callsAsTasks && !isObject(declared.tasks);
  return isAsked ? [...missing, tasksUnknown(host, taskTools)] : missing;
};

/** A host may call tools as tasks without a word about it in its capabilities. */
function tasksUnknown({ label }: HostFacts, tools: string[]): Draft {
  return {
    severity: "info",
    code: "client_capability_unknown",
    title: "It is not known whether the host calls tools as tasks",
    detail: `Some tools answer only as tasks; nothing is recorded about whether ${label} calls them so.`,
    remediation: 'Let these tools answer directly too (execution.taskSupport "optional").',
    tools,
    capability: "tasks",
    evidence: { taskSupport: "required" },
    confidence: "low",
  };
}

const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

const annotations: Rule = (host, { tools }) => {
  const { limits } = host;
  const read = limits?.supportedToolAnnotations;
  if (!limits || !read) return [];
  const unread = hints.filter((hint) => !read.includes(hint));
  const using = tools.filter(
    ({ annotations: own }) => isObject(own) && unread.some((hint) => own[hint] !== undefined),
  );
  if (using.length === 0) return [];
  return [
    {
      severity: "info",
      code: "annotations_ignored",
      title: "Some tool annotations are not read",
      detail: `${host.label} reads ${read.join(", ")} alone.`,
      tools: using.map(({ name }) => name),
      evidence: { unread },
      ...sourceOf(limits),
    },
  ];
};

export const serverRules: readonly Rule[] = [
  protocolVersion,
  transport,
  namePattern,
  nameLength,
  toolCount,
  schemaComposition,
  clientCapability,
  annotations,
];

/** Unknown where the host's own versions are among those that nobody could try. */
export function versionsUnknown({ protocol }: HostFacts, { versions }: CompatServer): boolean {
  const known = protocol.advertisedVersions;
  if (!known) return false;
  const own = versions.filter(({ version }) => known.includes(version));
  return !own.some(({ is }) => is === "accepted") && own.some(({ is }) => is === "unknown");
}
