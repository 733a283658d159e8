/** @module What several rules ask of the evidence about a server: does it want a token, who gives one, which tools and widgets has it. */
import { readinessLimits } from "@fettle/contract/servers";
import { isObject, type JsonObject, parseBearerChallenge } from "@fettle/mcp";
import { itemsOf, nameOf, type SeenDocument } from "../apps/observe-apps.ts";
import { metaOf, toolUiOf } from "../apps/tool-ui.ts";
import type { IssuerReading, ReadinessEvidence, ServerEvidence } from "./evidence.ts";
import { notApplicable, notEvaluated, type ReadinessVerdict, verdictOf } from "./rule.ts";

/** `open`: answers strangers. `guarded`: answers 401. `odd`: turns those away who bring no token, but not with 401. */
export type Guard =
  | { is: "open" }
  | { is: "guarded"; header: string | undefined; pointer: string | undefined }
  | { is: "odd"; status: number }
  | { is: "unknown"; why: string };

export function guardOf({ probe, unconnected }: ServerEvidence): Guard {
  if (probe.status === "ready") return { is: "open" };
  if (probe.status === "oauth_required") {
    const header = probe.oauth.wwwAuthenticate;
    return { is: "guarded", header, pointer: parseBearerChallenge(header)?.resourceMetadata };
  }
  const refusal = probe.transport.attempts.find(({ response }) => response?.status === 403)?.response;
  if (!refusal) return { is: "unknown", why: probe.error ?? "The server gave no answer of MCP." };
  // Who is refused whatever he brings may have asked at the wrong name, or from the wrong place: no matter of tokens.
  const isAboutTokens =
    unconnected === undefined || parseBearerChallenge(refusal.headers["www-authenticate"]) !== undefined;
  return isAboutTokens ? { is: "odd", status: 403 } : { is: "unknown", why: turnedAway(refusal.body) };
}

function turnedAway(body: unknown): string {
  const said = isObject(body) && isObject(body.error) ? body.error.message : body;
  return typeof said === "string" && said.trim() !== ""
    ? `It turns everyone away with 403: ${said.trim().slice(0, readinessLimits.quotedCharacters)}`
    : "It turns everyone away with 403, and does not say why.";
}

/** Of what is submitted without one, nothing about a server is asked. */
export function withoutServer({ submissionMode }: ReadinessEvidence): ReadinessVerdict {
  return submissionMode === "skills-only"
    ? notApplicable("No server is submitted.")
    : notEvaluated("serverUrl", "No server was given.");
}

const authless = notApplicable("The server asks for no authorization.");

/** Judges a server that was given. */
export function ofServer(
  judge: (server: ServerEvidence, evidence: ReadinessEvidence) => ReadinessVerdict,
): (evidence: ReadinessEvidence) => ReadinessVerdict {
  return (evidence) => (evidence.server ? judge(evidence.server, evidence) : withoutServer(evidence));
}

/** Judges how a token is had: of servers that want one, and of those that say how to get one though they want none. */
export function ofGuarded(
  judge: (server: ServerEvidence, guard: Guard, evidence: ReadinessEvidence) => ReadinessVerdict,
): (evidence: ReadinessEvidence) => ReadinessVerdict {
  return ofServer((server, evidence) => {
    const guard = guardOf(server);
    if (guard.is === "unknown") return notEvaluated("serverAnswer", guard.why);
    if (guard.is === "open" && !server.probe.oauth.optional) return authless;
    const declared = evidence.profile?.authMode;
    if (declared === "static-header" || declared === "custom-connection") {
      return notApplicable(`The profile says ${declared}: there is no OAuth to find.`);
    }
    return judge(server, guard, evidence);
  });
}

/** Judges metadata of the first authorization server, the only one that is tried. */
export function ofIssuer(
  judge: (metadata: JsonObject, server: ServerEvidence, evidence: ReadinessEvidence) => ReadinessVerdict,
): (evidence: ReadinessEvidence) => ReadinessVerdict {
  return ofGuarded((server, _guard, evidence) => {
    const [first] = server.issuers;
    if (first && "metadata" in first) return judge(first.metadata, server, evidence);
    if (first && "unreached" in first) return notEvaluated("authorizationServer", first.unreached);
    return notEvaluated("serverAnswer", "The metadata of the authorization server was not found.");
  });
}

/** Whether these authorization servers publish their metadata: a fault is one even where another could not be reached. */
export function judgeIssuers(readings: readonly (IssuerReading | undefined)[]): ReadinessVerdict {
  const faults = readings.flatMap((reading) => {
    if (!reading) return ["The protected-resource metadata names no authorization server."];
    return "fault" in reading ? [reading.fault] : [];
  });
  const unreached = readings.find((reading) => reading && "unreached" in reading);
  return faults.length === 0 && unreached && "unreached" in unreached
    ? notEvaluated("authorizationServer", unreached.unreached)
    : verdictOf(faults);
}

export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Every tool of a listing that was read to its end. */
export function wholeListing(
  evidence: ReadinessEvidence,
): { tools: JsonObject[] } | { verdict: ReadinessVerdict } {
  const { server } = evidence;
  if (!server) return { verdict: withoutServer(evidence) };
  const { tools } = server;
  if (!tools || "refused" in tools) {
    const why =
      tools && "refused" in tools ? tools.refused : (server.unconnected ?? "The tools were not listed.");
    return { verdict: notEvaluated("toolListing", why) };
  }
  if ("items" in tools && tools.truncated) {
    const why = "The list of tools was not read to its end, so nothing can be said of every tool.";
    return { verdict: notEvaluated("toolListing", why) };
  }
  const items = itemsOf(tools);
  return items.length === 0 ? { verdict: notApplicable("The server has no tools.") } : { tools: items };
}

/** Judges each tool by itself. */
export function everyTool(
  faultsOf: (tool: JsonObject, name: string, evidence: ReadinessEvidence) => readonly string[],
): (evidence: ReadinessEvidence) => ReadinessVerdict {
  return (evidence) => {
    const listing = wholeListing(evidence);
    if ("verdict" in listing) return listing.verdict;
    return verdictOf(listing.tools.flatMap((tool) => faultsOf(tool, nameOf(tool), evidence)));
  };
}

export function annotationsOf(tool: JsonObject): JsonObject {
  return isObject(tool.annotations) ? tool.annotations : {};
}

export interface WidgetTool {
  name: string;
  tool: JsonObject;
  meta: JsonObject;
  uris: NonNullable<ReturnType<typeof toolUiOf>>["uris"];
}

/** Judges the tools that show something, when there are any. */
export function ofWidgetTools(
  judge: (tools: WidgetTool[], server: ServerEvidence, evidence: ReadinessEvidence) => ReadinessVerdict,
): (evidence: ReadinessEvidence) => ReadinessVerdict {
  return (evidence) => {
    const listing = wholeListing(evidence);
    if ("verdict" in listing) return listing.verdict;
    const shown = listing.tools.flatMap((tool) => {
      const ui = toolUiOf(tool);
      return ui ? [{ name: nameOf(tool), tool, meta: metaOf(tool), uris: ui.uris }] : [];
    });
    if (shown.length === 0) return notApplicable("The server has no widgets.");
    return evidence.server ? judge(shown, evidence.server, evidence) : withoutServer(evidence);
  };
}

export interface ReadWidget {
  uri: string;
  dialects: SeenDocument["dialects"];
  content: JsonObject;
  meta: JsonObject;
}

/** Judges the documents that tools name. One that cannot be read says nothing of what is in it. */
export function ofWidgets(
  judge: (widgets: ReadWidget[], server: ServerEvidence, evidence: ReadinessEvidence) => ReadinessVerdict,
): (evidence: ReadinessEvidence) => ReadinessVerdict {
  return ofWidgetTools((_tools, server, evidence) => {
    const named = (server.documents ?? []).filter((document) => document.named);
    const read = named.flatMap(({ uri, dialects, answer }) => {
      const contents = "contents" in answer && Array.isArray(answer.contents) ? answer.contents : [];
      const content = contents.find(isObject);
      return content ? [{ uri, dialects, content, meta: metaOf(content) }] : [];
    });
    if (read.length < named.length || named.length === 0) {
      return notEvaluated("appsResult", "Not every widget could be read.");
    }
    return judge(read, server, evidence);
  });
}

/** What the apps suite said of the same observations. */
export function fromAppsCheck(id: string): (evidence: ReadinessEvidence) => ReadinessVerdict {
  return ofWidgetTools((_tools, server) => {
    const result = server.appsChecks?.find((check) => check.id === id);
    if (!result) return notEvaluated("appsResult", "The apps suite was not run.");
    const advice = result.warnings?.map(({ message }) => message) ?? [];
    if (result.skipReason === "could-not-run") {
      return notEvaluated("appsResult", result.error?.message ?? "The apps suite could not tell.");
    }
    if (result.skipReason === "not-applicable") {
      return notApplicable(result.error?.message ?? "The check does not apply.");
    }
    return verdictOf([
      ...(result.status === "failed" ? [result.error?.message ?? result.title] : []),
      ...advice,
    ]);
  });
}
