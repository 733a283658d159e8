/** @module Looks at a server for a readiness grade: the way to it, what it says to strangers, who gives tokens, and what it offers. No tool is called. */
import { limits } from "@fettle/contract/core";
import { readinessLimits } from "@fettle/contract/servers";
import {
  type Authorize,
  asMcpError,
  type Connection,
  connect,
  createHttpClient,
  discoverServerMetadata,
  type HttpClient,
  type HttpTarget,
  latestStateful,
  localPolicy,
  type NetworkPolicy,
  Recorder,
  redactKnowing,
  secretsOf,
  serverMetadataMissing,
  targetLabel,
} from "@fettle/mcp";
import { appsObservers } from "../apps/observe-apps.ts";
import { appsChecks, appsClientCapabilities } from "../apps/run-apps.ts";
import { probe } from "../diagnostics/probe.ts";
import type { ProbeReport } from "../diagnostics/probe-report.ts";
import { observeOnce, runChecks } from "../verdict/run-checks.ts";
import type { IssuerReading, RedirectTrace, SeenOperation, ServerEvidence } from "./evidence.ts";
import { observeSkills } from "./observe-skills.ts";

export interface ReadinessLook {
  /** Of one request. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  policy?: NetworkPolicy | undefined;
  authorize?: Authorize | undefined;
  recorder?: Recorder | undefined;
  clientInfo?: { name: string; version: string } | undefined;
  /** What only publisher B asks for. */
  domainChallenge?: boolean | undefined;
  skills?: boolean | undefined;
}

/** A server that does not answer is no error: it is evidence, and what needs more of it is not evaluated. */
export async function observeReadiness(target: HttpTarget, look: ReadinessLook): Promise<ServerEvidence> {
  const http = createHttpClient({ policy: look.policy ?? localPolicy });
  try {
    const { accessToken: _token, ...bare } = target;
    // Any header may be a credential: a stranger brings none.
    const stranger: HttpTarget = { ...bare, headers: {} };
    const [trace, seen] = await Promise.all([
      traceRedirects(http, target.url, look),
      probe(stranger, { timeoutMs: look.timeoutMs, signal: look.signal, policy: look.policy }),
    ]);
    const [issuers, offered, domainChallenge] = await Promise.all([
      readIssuers(http, seen, look),
      observeOffers(target, look),
      look.domainChallenge ? readChallenge(http, target.url, look) : undefined,
    ]);
    // What was cut off is no evidence: the server may have had an answer to everything.
    look.signal?.throwIfAborted();
    const operations = [...strangersOperations(seen), ...offered.operations];
    return redactKnowing(
      {
        url: target.url,
        trace,
        probe: seen,
        issuers,
        ...offered,
        operations,
        ...(domainChallenge && { domainChallenge }),
      },
      secretsOf(target),
    );
  } finally {
    http.close();
  }
}

/** Evidence of a look that came to nothing. */
export function unreachedServer(url: string, why: string): ServerEvidence {
  return {
    url,
    trace: { hops: [url], end: "unreachable", why },
    probe: {
      url,
      protocolVersion: latestStateful,
      status: "error",
      transport: { attempts: [] },
      oauth: { required: false, optional: false, registrationStrategies: [] },
      error: why,
    },
    issuers: [],
    unconnected: why,
    operations: [],
  };
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** Asked as a browser would follow it, hop by hop, with no credential. */
async function traceRedirects(http: HttpClient, url: string, look: ReadinessLook): Promise<RedirectTrace> {
  const hops = [url];
  let suppliedFrom: Parameters<HttpClient["request"]>[0]["suppliedFrom"];
  for (;;) {
    const at = hops.at(-1) ?? url;
    try {
      const response = await http.request({
        method: "GET",
        url: at,
        headers: { accept: "text/event-stream, application/json" },
        redirect: "manual",
        signal: look.signal,
        suppliedFrom,
        timeouts: { connectMs: look.timeoutMs, firstByteMs: look.timeoutMs, totalMs: look.timeoutMs },
      });
      response.cancel();
      const to = URL.parse(response.headers.location ?? "", at);
      if (!redirects.has(response.status) || !to) return { hops, end: "answered" };
      if (hops.includes(to.href)) return { hops: [...hops, to.href], end: "loop" };
      hops.push(to.href);
      if (hops.length > readinessLimits.redirects) return { hops, end: "too-many" };
      suppliedFrom = response.zone;
    } catch (error) {
      if (look.signal?.aborted) throw error;
      return { hops, end: "unreachable", why: asMcpError(error).message };
    }
  }
}

/** The probe has read the first already. */
async function readIssuers(
  http: HttpClient,
  { oauth }: ProbeReport,
  look: ReadinessLook,
): Promise<IssuerReading[]> {
  const named = oauth.resourceMetadata?.authorization_servers;
  const [first, ...others] = Array.isArray(named) ? named : [];
  if (first === undefined) return [];
  const own: IssuerReading =
    typeof first === "string" && oauth.authorizationServerMetadata
      ? { issuer: first, metadata: oauth.authorizationServerMetadata }
      : withoutMetadata(first, {
          why: oauth.discoveryError ?? `${String(first)} is no address.`,
          unreached: oauth.authorizationServerUnreached === true,
        });
  return [own, ...(await Promise.all(others.map((issuer) => readIssuer(http, issuer, look))))];
}

async function readIssuer(http: HttpClient, issuer: unknown, look: ReadinessLook): Promise<IssuerReading> {
  if (typeof issuer !== "string") return { issuer, fault: `${String(issuer)} is no address.` };
  try {
    const { timeoutMs, signal } = look;
    const seen = await discoverServerMetadata(http, issuer, latestStateful, { timeoutMs, signal });
    return seen.found
      ? { issuer, metadata: seen.found.metadata }
      : withoutMetadata(issuer, serverMetadataMissing(seen, issuer));
  } catch (error) {
    if (look.signal?.aborted) throw error;
    return { issuer, fault: asMcpError(error).message };
  }
}

function withoutMetadata(
  issuer: unknown,
  { why, unreached }: ReturnType<typeof serverMetadataMissing>,
): IssuerReading {
  return unreached ? { issuer, unreached: why } : { issuer, fault: why };
}

function strangersOperations({ transport }: ProbeReport): SeenOperation[] {
  return transport.attempts.flatMap(({ name, response }) =>
    response && (name === "server_discover" || name === "streamable_initialize")
      ? [operationOf(response.status, response.headers)]
      : [],
  );
}

function operationOf(status: number, headers: Record<string, string> = {}): SeenOperation {
  const wwwAuthenticate = headers["www-authenticate"];
  return { status, ...(wwwAuthenticate !== undefined && { wwwAuthenticate }) };
}

type Offered = Pick<
  ServerEvidence,
  | "unconnected"
  | "operations"
  | "tools"
  | "resources"
  | "documents"
  | "appsChecks"
  | "capabilities"
  | "skills"
>;

/** What the server offers to whoever may come in: observed once, judged by the apps suite and by the publisher's rules alike. */
async function observeOffers(target: HttpTarget, look: ReadinessLook): Promise<Offered> {
  const { timeoutMs, signal, policy, authorize, clientInfo } = look;
  const recorder = look.recorder ?? new Recorder({ label: targetLabel(target), secrets: secretsOf(target) });
  const operations = () =>
    recorder
      .read()
      .entries.flatMap((entry) =>
        entry.kind === "http" && entry.status !== undefined && entry.url.startsWith(target.url)
          ? [operationOf(entry.status, entry.responseHeaders)]
          : [],
      );
  let connection: Connection;
  try {
    connection = await connect(target, {
      capabilities: appsClientCapabilities,
      timeouts: { connectMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
      recorder,
      ...(signal && { signal }),
      ...(policy && { policy }),
      ...(authorize && { authorize }),
      ...(clientInfo && { clientInfo }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    return { unconnected: asMcpError(error).message, operations: operations() };
  }
  try {
    const observers = observeOnce(appsObservers(connection, signal));
    const kept = async <T>(looked: Promise<T>) => looked.catch(() => undefined);
    const [tools, resources, documents] = await Promise.all([
      kept(observers("tools")),
      kept(observers("resources")),
      kept(observers("documents")),
    ]);
    const appsResults = await runChecks(
      appsChecks,
      observers,
      { version: connection.protocolVersion, requireUi: false, contractBinds: false },
      { timeoutMs: limits.conformance.checkMs, signal },
    );
    const skills = look.skills ? await observeSkills(connection, signal) : undefined;
    return {
      ...(tools && { tools }),
      ...(resources && { resources }),
      ...(documents && { documents }),
      appsChecks: appsResults,
      capabilities: connection.capabilities,
      ...(skills && { skills }),
      operations: operations(),
    };
  } finally {
    await connection.close();
  }
}

const challengePath = "/.well-known/openai-apps-challenge";

async function readChallenge(
  http: HttpClient,
  url: string,
  look: ReadinessLook,
): Promise<ServerEvidence["domainChallenge"]> {
  try {
    const response = await http.request({
      method: "GET",
      url: new URL(challengePath, url).href,
      headers: { accept: "text/plain" },
      maxBodyBytes: readinessLimits.challengeBytes,
      signal: look.signal,
      timeouts: { connectMs: look.timeoutMs, firstByteMs: look.timeoutMs, totalMs: look.timeoutMs },
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (look.signal?.aborted) throw error;
    return { fault: asMcpError(error).message };
  }
}
