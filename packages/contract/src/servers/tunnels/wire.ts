/**
 * @module What the relay and the machine behind a tunnel say to each other over one WebSocket. Text frames are JSON, binary frames
 * carry pieces of bodies. No schemas here: the command line speaks this without a validator.
 */
export const tunnelProtocol = "fettle-tunnel.v2";
/** Without credit: whoever sends too much for its reader loses that request. Still spoken with those who know no other. */
export const earlierTunnelProtocol = "fettle-tunnel.v1";
/** Clients of other makes name it after themselves; what they say is the earlier one, but for where they have their server. */
export type TunnelProtocol = typeof tunnelProtocol | typeof earlierTunnelProtocol | `${string}-tunnel.v1`;

/** The subprotocol to speak, of those that a client offers; undefined: none is a tunnel's. */
export function chosenTunnelProtocol(offered: Iterable<string>): TunnelProtocol | undefined {
  const all = [...offered];
  return (
    ([tunnelProtocol, earlierTunnelProtocol] as const).find((own) => all.includes(own)) ??
    all.find(isOfOthers)
  );
}

const isOfOthers = (name: string): name is `${string}-tunnel.v1` => /^[\w.+-]{1,64}-tunnel\.v1$/.test(name);

/** Where the client of a tunnel has its server: what stands in requests to it before the caller's query. */
export const tunnelServerPath = (protocol: string, serverId: string): string =>
  protocol !== earlierTunnelProtocol && isOfOthers(protocol) ? `/api/mcp/adapter-http/${serverId}` : "/";

/** Why a relay closes the socket. Only a restart is worth connecting again at once; the others are final. */
export const tunnelClose = {
  badToken: 4000,
  replaced: 4001,
  revoked: 4002,
  /** The key or sign-in that opened it holds no more, or its owner may not see the project any more. */
  openerGone: 4003,
  restart: 1012,
} as const;

export type TunnelHeaders = [name: string, value: string][];

export const tunnelAborts = ["timeout", "too_large", "client_gone", "upstream_error", "overloaded"] as const;
export type TunnelAbort = (typeof tunnelAborts)[number];

export type TunnelFrame =
  | {
      t: "hello";
      proto: TunnelProtocol;
      slug: string;
      /** `window`: how many bytes of each body may be sent, in either direction, before the reader gives credit for more. */
      limits: { maxReqBody: number; chunk: number; maxInflight: number; window?: number };
    }
  /** `url` is a path with its query, seen from the tunnel's own address. */
  | { t: "req"; id: number; method: string; url: string; headers: TunnelHeaders; hasBody: boolean }
  | { t: "req_end"; id: number }
  | { t: "res"; id: number; status: number; headers: TunnelHeaders }
  | { t: "res_end"; id: number }
  /** So many bytes more may be sent of the body that this side is reading. */
  | { t: "credit"; id: number; bytes: number }
  | { t: "abort"; id: number; code: TunnelAbort; msg?: string };

/** Whether a status ends an exchange and HTTP can carry it. Any other costs that exchange and nothing else. */
export function isAnswerStatus(status: number): boolean {
  return status >= 200 && status <= 599;
}

/** Undefined when it is none of ours: the other side is of another make, or broken. */
export function parseTunnelFrame(text: string): TunnelFrame | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isFrame(value) ? value : undefined;
}

function isFrame(value: unknown): value is TunnelFrame {
  if (typeof value !== "object" || value === null) return false;
  const frame = value as Record<string, unknown>;
  if (frame.t !== "hello" && !isId(frame.id)) return false;
  switch (frame.t) {
    case "hello":
      return (
        typeof frame.proto === "string" &&
        chosenTunnelProtocol([frame.proto]) !== undefined &&
        typeof frame.slug === "string" &&
        areLimits(frame.limits, frame.proto === tunnelProtocol)
      );
    case "req":
      return (
        typeof frame.method === "string" &&
        typeof frame.url === "string" &&
        frame.url.startsWith("/") &&
        areHeaders(frame.headers) &&
        typeof frame.hasBody === "boolean"
      );
    case "res":
      // Whether that status can be passed on is a question about this one answer: see `isAnswerStatus`.
      return Number.isInteger(frame.status) && areHeaders(frame.headers);
    case "credit":
      return isPositive(frame.bytes) && Number(frame.bytes) <= 0xffff_ffff;
    case "abort":
      return tunnelAborts.some((code) => code === frame.code);
    default:
      return frame.t === "req_end" || frame.t === "res_end";
  }
}

function isId(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0xffff_ffff;
}

function areHeaders(value: unknown): boolean {
  const isPair = (pair: unknown) =>
    Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string");
  return Array.isArray(value) && value.every(isPair);
}

function areLimits(value: unknown, hasWindow: boolean): boolean {
  const { maxReqBody, chunk, maxInflight, window } = (value ?? {}) as Record<string, unknown>;
  return [maxReqBody, chunk, maxInflight, ...(hasWindow ? [window] : [])].every(isPositive);
}

function isPositive(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0;
}

export interface TunnelChunk {
  kind: "request" | "response";
  id: number;
  payload: Uint8Array;
}

const headBytes = 5;
const kinds = { request: 1, response: 2 } as const;

/** One byte of kind, four of id (big-endian), then the payload. */
export function encodeTunnelChunk({ kind, id, payload }: TunnelChunk): Uint8Array {
  const bytes = new Uint8Array(headBytes + payload.length);
  bytes[0] = kinds[kind];
  new DataView(bytes.buffer).setUint32(1, id);
  bytes.set(payload, headBytes);
  return bytes;
}

export function decodeTunnelChunk(bytes: Uint8Array): TunnelChunk | undefined {
  if (bytes.length < headBytes) return undefined;
  const kind = bytes[0] === kinds.request ? "request" : bytes[0] === kinds.response ? "response" : undefined;
  if (!kind) return undefined;
  const id = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  return { kind, id, payload: bytes.subarray(headBytes) };
}

/** A body in pieces that fit one frame each. */
export function* inTunnelChunks(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
