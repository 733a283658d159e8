/** @module The café as it would be listed, open or behind a sign-in, with one thing spoiled: a proxy before the sample, looked at like any server. */
import type { ReadinessKind } from "@fettle/contract/servers";
import { type HttpTarget, isObject, type JsonObject, parseTarget } from "@fettle/mcp";
import {
  type Fault,
  type ProxiedRequest,
  type Reply,
  startFaultyProxy,
} from "../../protocol/testing/faulty-proxy.ts";
import { inResultOf } from "../../protocol/testing/mutation.ts";
import type { ServerEvidence } from "../evidence.ts";
import { observeReadiness } from "../observe-readiness.ts";
import { skillsExtension } from "../openai/skill-rules.ts";
import { domainToken, listedUrl } from "./good.ts";

/** What a server behind a sign-in publishes; spoilings change it. `origin` is that of the proxy. */
export interface GuardDocuments {
  challenge: string | undefined;
  status: number;
  resource: JsonObject | undefined;
  issuer: JsonObject;
  /** Origins of authorization servers that answer, besides the first. */
  others: Record<string, JsonObject>;
}

function guardDocuments(origin: string): GuardDocuments {
  return {
    status: 401,
    challenge: `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
    resource: { resource: `${origin}/mcp`, authorization_servers: [`${origin}/as`] },
    issuer: {
      issuer: `${origin}/as`,
      authorization_endpoint: `${origin}/as/authorize`,
      token_endpoint: `${origin}/as/token`,
      registration_endpoint: `${origin}/as/register`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    },
    others: {},
  };
}

export interface ServerSpoiling {
  fault?: Fault;
  /** Behind a sign-in, with this changed. */
  guard?: (documents: GuardDocuments, origin: string) => void;
  /** Skills it offers, as `skills/list` and `skills/get` give them. */
  skills?: { listed: JsonObject; files: { path: string; text: string }[] }[];
}

const token = "good-token";

function originOf({ headers }: ProxiedRequest): string {
  return `http://${headers.host}`;
}

function guarding(change: NonNullable<ServerSpoiling["guard"]>) {
  return (request: ProxiedRequest): Reply | undefined => {
    const origin = originOf(request);
    const documents = guardDocuments(origin);
    change(documents, origin);
    const answer = (body: JsonObject | undefined): Reply => (body ? { status: 200, body } : { status: 404 });
    if (request.path.startsWith("/.well-known/oauth-protected-resource")) return answer(documents.resource);
    if (request.path === "/.well-known/oauth-authorization-server/as") return answer(documents.issuer);
    const other = Object.keys(documents.others).find((path) => request.path.endsWith(path));
    if (other) return answer(documents.others[other]);
    if (request.path !== "/mcp" || request.headers.authorization === `Bearer ${token}`) return undefined;
    const { status, challenge } = documents;
    return { status, ...(challenge !== undefined && { headers: { "www-authenticate": challenge } }) };
  };
}

/** The café lacks a few things that a directory wants; a listed one has them. */
function listed(kind: ReadinessKind): NonNullable<Fault["message"]> {
  const tools = inResultOf("tools/list", (result) => {
    for (const tool of result.tools as JsonObject[]) {
      tool.title = `The ${String(tool.name)}`;
      tool.annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
      tool.securitySchemes = [{ type: "noauth" }];
    }
  });
  const documents = inResultOf("resources/read", ({ contents }) => {
    for (const content of contents as JsonObject[]) {
      const { ui } = isObject(content._meta) ? content._meta : {};
      if (isObject(ui)) {
        if (kind === "claude") delete ui.domain;
        else ui.domain = "https://menu.cafe.test";
      }
      if (isObject(content._meta) && "openai/widgetDomain" in content._meta) {
        content._meta["openai/widgetDomain"] = "https://menu.cafe.test";
      }
    }
  });
  return (message, request) => documents(tools(message, request) as JsonObject, request);
}

function offeringSkills(skills: NonNullable<ServerSpoiling["skills"]>): Fault {
  const advertise = (result: JsonObject) => {
    const capabilities = result.capabilities as JsonObject;
    const extensions = isObject(capabilities.extensions) ? capabilities.extensions : {};
    capabilities.extensions = { ...extensions, [skillsExtension]: {} };
  };
  return {
    message: (message, request) => {
      for (const method of ["initialize", "server/discover"]) inResultOf(method, advertise)(message, request);
      return message;
    },
    answer: ({ body }) => {
      const result = (value: JsonObject): Reply => ({
        status: 200,
        body: { jsonrpc: "2.0", id: body?.id, result: { resultType: "complete", ...value } },
      });
      if (body?.method === "skills/list") return result({ skills: skills.map((each) => each.listed) });
      if (body?.method !== "skills/get") return undefined;
      const name = isObject(body.params) ? body.params.name : undefined;
      return result({ files: skills.find((each) => each.listed.name === name)?.files ?? [] });
    },
  };
}

/** One after the other; the first answer counts. */
function together(faults: readonly Fault[]): Fault {
  return {
    answer: (request) => {
      for (const fault of faults) {
        const reply = fault.answer?.(request);
        if (reply) return reply;
      }
      return undefined;
    },
    head: (head, request) => {
      for (const fault of faults) fault.head?.(head, request);
    },
    message: (message, request) =>
      faults.reduce<JsonObject>(
        (changed, fault) => (fault.message ? (fault.message(changed, request) as JsonObject) : changed),
        message,
      ),
  };
}

const elsewhere: Fault = {
  answer: ({ path }) => {
    if (path === "/.well-known/openai-apps-challenge") return { status: 200, body: domainToken };
    return path === "/mcp" ? undefined : { status: 404 };
  },
};

/** Evidence as if the café stood at `listedUrl`: what it says of its own address is put there, and nothing else is changed. */
export async function observeListed(
  upstream: string,
  kind: ReadinessKind,
  { fault = {}, guard, skills }: ServerSpoiling = {},
): Promise<ServerEvidence> {
  const proxy = await startFaultyProxy(
    upstream,
    together([
      { message: listed(kind) },
      fault,
      ...(skills ? [offeringSkills(skills)] : []),
      ...(guard ? [{ answer: guarding(guard) }] : []),
      elsewhere,
    ]),
  );
  try {
    const target = parseTarget({ url: proxy.url, ...(guard && { accessToken: token }) }) as HttpTarget;
    const isOther = kind === "openai";
    const seen = await observeReadiness(target, {
      timeoutMs: 10_000,
      domainChallenge: isOther,
      skills: isOther,
    });
    const listedOrigin = new URL(listedUrl).origin;
    return JSON.parse(JSON.stringify(seen).replaceAll(new URL(proxy.url).origin, listedOrigin));
  } finally {
    await proxy.close();
  }
}
