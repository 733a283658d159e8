/**
 * @module What a server over HTTP must refuse for its headers: a revision it does not have, and in the stateless era a request whose
 * headers and body do not say the same. For whoever answers HTTP on behalf of a process that only reads bodies.
 */
import { isOneOf } from "@fettle/contract/core";
import { isExactNumber } from "@fettle/contract/formats";
import { type Inbound, isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { metaKeys, rpcCodes } from "../messages/stateless-meta.ts";
import { statefulVersions, statelessVersions } from "./era.ts";
import { nameRepeatedBy } from "./era-2026-07-28.ts";
import { decodeHeaderValue, type ParamHeader, paramHeadersFor } from "./param-headers.ts";

/** To be answered with HTTP 400. */
export interface RequestRefusal {
  code: number;
  message: string;
  data?: JsonObject;
}

export interface KnownOfServer {
  /** What the server itself has said that it speaks, when asked without a handshake; a revision we do not know may be among them. */
  versions: readonly string[];
  /** What it has agreed to in handshakes. */
  agreed: readonly string[];
  /** It has said that it does not know the era without a handshake. */
  onlyShakesHands: boolean;
  /** The arguments of a tool that headers repeat. */
  paramHeadersOf(tool: string): readonly ParamHeader[];
}

/** Names in lower case. */
type Headers = Readonly<Record<string, string | undefined>>;
type Asked = Inbound & { kind: "request" | "notification" };

/**
 * Why HTTP must refuse this message; undefined when it may be handed on.
 *
 * @example
 * const refusal = refusalOf(message, request.headers, { versions: [], agreed: [], onlyShakesHands: false, paramHeadersOf: () => [] });
 */
export function refusalOf(
  message: Inbound,
  headers: Headers,
  server: KnownOfServer,
): RequestRefusal | undefined {
  const said = headers["mcp-protocol-version"]?.trim();
  const isAsked = message.kind === "request" || message.kind === "notification";
  const claimed = isAsked ? claimedVersion(message) : undefined;
  if (claimed !== undefined && said !== undefined && claimed !== said) {
    return mismatch(`MCP-Protocol-Version is ${said}, and _meta says ${claimed}`);
  }
  const unsupported = unsupportedVersion(claimed ?? said, server);
  if (unsupported) return unsupported;
  return message.kind === "request" && isStatelessRequest(message, headers, server)
    ? statelessRefusal(message, headers, server)
    : undefined;
}

/** The header alone, which GET and DELETE carry too. */
export function unsupportedVersion(
  version: string | undefined,
  { versions, agreed, onlyShakesHands }: Omit<KnownOfServer, "paramHeadersOf">,
): RequestRefusal | undefined {
  const known: string[] = [...statefulVersions, ...versions, ...agreed];
  if (!onlyShakesHands) known.push(...statelessVersions);
  if (version === undefined || known.includes(version)) return undefined;
  const supported = versions.length > 0 ? versions : statefulVersions;
  return {
    code: rpcCodes.unsupportedVersion,
    message: `Unsupported protocol version: ${version} (supported versions: ${supported.join(", ")})`,
    data: { supported: [...supported], requested: version },
  };
}

/** It says, in its header or its body, that it is of the era without a handshake. */
export function isStatelessRequest(
  message: Inbound,
  headers: Headers,
  { agreed }: Pick<KnownOfServer, "agreed">,
): boolean {
  if (message.kind !== "request") return false;
  const version = claimedVersion(message) ?? headers["mcp-protocol-version"]?.trim();
  return version !== undefined && !isOneOf(statefulVersions, version) && !agreed.includes(version);
}

/** The status that an error of the stateless era is answered with. */
export function statusOfError(code: number): number {
  if (code === rpcCodes.methodNotFound) return 404;
  const { headerMismatch, missingCapability, unsupportedVersion: unknown } = rpcCodes;
  return [headerMismatch, missingCapability, unknown].some((refused) => refused === code) ? 400 : 200;
}

function statelessRefusal(message: Asked, headers: Headers, server: KnownOfServer) {
  const { method, params } = message;
  const meta = isObject(params._meta) ? params._meta : {};
  if (claimedVersion(message) === undefined) return incomplete(metaKeys.protocolVersion);
  if (headers["mcp-protocol-version"] === undefined) return mismatch("MCP-Protocol-Version is missing");
  if (!isObject(meta[metaKeys.clientCapabilities])) return incomplete(metaKeys.clientCapabilities);
  const fault =
    repeated("Mcp-Method", headers["mcp-method"], method) ??
    repeated("Mcp-Name", headers["mcp-name"], nameRepeatedBy(method, params), decodeHeaderValue) ??
    (method === "tools/call" ? wrongParam(params, headers, server) : undefined);
  return fault === undefined ? undefined : mismatch(fault);
}

function wrongParam(params: JsonObject, headers: Headers, server: KnownOfServer): string | undefined {
  const args = isObject(params.arguments) ? params.arguments : {};
  if (typeof params.name !== "string") return undefined;
  for (const param of server.paramHeadersOf(params.name)) {
    const [wanted] = Object.entries(paramHeadersFor([param], args));
    if (!wanted) continue;
    const [name, value] = wanted;
    const asked = param.path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), args);
    const isNumber = typeof asked === "number" || isExactNumber(asked);
    const read = isNumber ? readNumber : decodeHeaderValue;
    const fault = repeated(name, headers[name], read(value), read);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** 42.0 is 42; of what is longer than a number can hold each digit counts. */
function readNumber(text: string): string {
  return /^-?\d+(\.\d+)?$/.test(text) && Number.isSafeInteger(Number(text)) ? String(Number(text)) : text;
}

/** What is wrong with a header that repeats the body; nothing is where the body has nothing to repeat. */
function repeated(
  name: string,
  header: string | undefined,
  body: string | undefined,
  read: (header: string) => string | undefined = (text) => text,
): string | undefined {
  if (body === undefined) return undefined;
  if (header === undefined) return `${name} is missing`;
  return read(header.trim()) === body ? undefined : `${name} is not what the body says`;
}

function claimedVersion({ params }: Asked): string | undefined {
  const meta = isObject(params._meta) ? params._meta : {};
  const version = meta[metaKeys.protocolVersion];
  return typeof version === "string" ? version : undefined;
}

function mismatch(fault: string): RequestRefusal {
  return { code: rpcCodes.headerMismatch, message: `Headers and body disagree: ${fault}.` };
}

function incomplete(key: string): RequestRefusal {
  return { code: rpcCodes.invalidParams, message: `Invalid params: _meta lacks ${key}.` };
}
