/** @module The one HTTP client for every URL a person or a server supplies: the address is checked where it is connected, every byte and second is capped. */
import type {
  AgentOptions,
  ClientRequest,
  Agent as HttpAgent,
  IncomingMessage,
  RequestOptions,
} from "node:http";
import { isIP } from "node:net";
import { abortFailure, asMcpError, McpError } from "../failure.ts";
import { type AddressZone, zoneOfAddress } from "./addresses.ts";
import { boundedBody } from "./body.ts";
import { networkFailure } from "./network-failure.ts";
import { bareHost, checkDestination, checkUrl, type NetworkPolicy } from "./policy.ts";
import { nextHop } from "./redirect.ts";
import { checkedLookup, type Resolver } from "./resolve.ts";
import { type Phase, Stop, timeout } from "./stop.ts";

export interface HttpTimeouts {
  /** Name, TCP and TLS. */
  connectMs: number;
  /** From the request sent to the status line. */
  firstByteMs: number;
  /** Between two chunks of a body; Infinity for a stream that may rest. */
  idleMs: number;
  /** From the first byte out to the last byte in. */
  totalMs: number;
}

const defaultHttpTimeouts: HttpTimeouts = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  idleMs: 30_000,
  totalMs: 60_000,
};

export interface HttpRequest {
  method: string;
  url: string | URL;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal | undefined;
  timeouts?: Partial<HttpTimeouts>;
  /** Largest body, after decompression. */
  maxBodyBytes?: number;
  /** `follow` (default) goes along within the rules of `redirect.ts`; `manual` hands the 3xx answer over. */
  redirect?: "follow" | "manual";
  /** Zone of the server that supplied this URL; absent when a person typed it. */
  suppliedFrom?: AddressZone | undefined;
  /** Safe to send again when a kept-alive socket turns out dead. Never set it for a call that has effects. */
  repeatable?: boolean;
  /** Told once the socket is open, TLS included: whoever waits longer waits for the server. */
  onOpen?: (() => void) | undefined;
}

export interface HttpResponse {
  /** Where the answer came from, after redirects. */
  url: string;
  status: number;
  statusText: string;
  /** Names in lower case; repeated headers joined by a comma. */
  headers: Record<string, string>;
  /** Names and values as they were sent, in turn. */
  rawHeaders: string[];
  redirects: string[];
  zone: AddressZone;
  /** The address that answered; empty where there is none. */
  address: string;
  /** Reads once. Throws TOO_LARGE, TIMEOUT or CONNECTION_RESET. */
  body: AsyncIterable<Uint8Array>;
  /** The whole body as text. */
  text(): Promise<string>;
  /** Stops reading; the socket is closed. */
  cancel(): void;
}

/** Told of every exchange; the recorder implements it. */
export interface HttpObserver {
  begin(request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    body?: string | Uint8Array;
  }): {
    head(status: number, statusText: string, headers: Record<string, string>): void;
    chunk(bytes: Uint8Array): void;
    end(error?: unknown): void;
  };
}

export interface HttpClientOptions {
  policy: NetworkPolicy;
  timeouts?: Partial<HttpTimeouts>;
  maxBodyBytes?: number;
  observer?: HttpObserver;
  /** For tests of rebinding; the system's resolver otherwise. */
  resolve?: Resolver;
}

export interface HttpClient {
  readonly policy: NetworkPolicy;
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Closes kept-alive sockets. */
  close(): void;
}

const maxHeaderBytes = 32 * 1024;
const defaultMaxBodyBytes = 16 * 1024 * 1024;
// Servers drop idle sockets after about five seconds; letting go first avoids writing into a closing one.
const keepAliveMs = 4_000;
// Timers are late on a busy machine, and a call with effects cannot be sent again: for that one the clock is asked too.
const trustedIdleMs = 1_000;

/**
 * A client bound to one policy, with its own kept-alive sockets.
 *
 * @example
 * const client = createHttpClient({ policy: hostedPolicy });
 * const response = await client.request({ method: "GET", url: "https://example.com/.well-known/oauth-protected-resource" });
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const timeouts = { ...defaultHttpTimeouts, ...options.timeouts };
  const lookup = checkedLookup(options.policy, options.resolve);
  const agents = new Map<string, HttpAgent>();
  const idleSince = new WeakMap<object, number>();

  function agentFor(protocol: string): HttpAgent {
    let agent = agents.get(protocol);
    if (!agent) {
      const { Agent } = moduleFor(protocol);
      agent = new Agent({ keepAlive: true, timeout: keepAliveMs, maxFreeSockets: 8 });
      agent.on("free", (socket: object) => idleSince.set(socket, performance.now()));
      agents.set(protocol, agent);
    }
    return agent;
  }

  /** Its server may have closed it already without this process having had the time to notice. */
  function dropDoubtful(agent: HttpAgent): void {
    for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])) {
      if (performance.now() - (idleSince.get(socket) ?? 0) > trustedIdleMs) socket.destroy();
    }
  }

  function agentOf(url: URL, isRepeatable: boolean): HttpAgent | false {
    if (impatient.has(url.origin)) return false;
    const agent = agentFor(url.protocol);
    if (!isRepeatable) dropDoubtful(agent);
    return agent;
  }

  /** Origins that closed a kept-alive socket under a request: from then on each gets a socket of its own. */
  const impatient = new Set<string>();

  async function exchange(request: HttpRequest, url: URL, redirects: string[]): Promise<HttpResponse> {
    const method = request.method.toUpperCase();
    const isRepeatable = request.repeatable || method === "GET";
    const headers = withDefaults(request.headers);
    const host = bareHost(url.hostname);
    const { suppliedFrom, signal, body } = request;
    const { dial } = options.policy;
    // Node connects to a literal address without asking `lookup`, so literals are checked here.
    if (!dial && isIP(host)) checkDestination(options.policy, { host, address: host, suppliedFrom });
    if (signal?.aborted) throw abortFailure(signal);

    const limits = { ...timeouts, ...request.timeouts };
    const requestOptions: RequestOptions = {
      method,
      headers,
      maxHeaderSize: maxHeaderBytes,
      ...(dial
        ? { createConnection: () => dial(), headers: { host: url.host, ...headers } }
        : {
            agent: agentOf(url, isRepeatable),
            lookup: (name, lookupOptions, callback) => lookup(name, suppliedFrom, lookupOptions, callback),
          }),
    };
    const outgoing = openRequest(dial ? plainly(url) : url, requestOptions);
    const watch = options.observer?.begin({
      method,
      url: url.href,
      headers: lowerCaseNames(headers),
      ...(body !== undefined && { body }),
    });
    const stop = new Stop(outgoing, signal, limits.totalMs);
    try {
      const message = await headOf(outgoing, body, limits, stop, url.href, {
        onOpen: request.onOpen,
        checkReached(address) {
          if (!dial) checkDestination(options.policy, { host, address, suppliedFrom });
        },
      });
      stop.body = message;
      // The reader hears of a fault through the body; an answer nobody reads must not crash the process.
      message.on("error", () => {});
      const status = message.statusCode ?? 0;
      const responseHeaders = joinedHeaders(message);
      watch?.head(status, message.statusMessage ?? "", responseHeaders);
      const stream = boundedBody(message, {
        maxBytes: request.maxBodyBytes ?? options.maxBodyBytes ?? defaultMaxBodyBytes,
        idleMs: limits.idleMs,
        url: url.href,
        stop,
        onChunk: (chunk) => watch?.chunk(chunk),
        onEnd: (error) => watch?.end(error),
      });
      return {
        url: url.href,
        status,
        statusText: message.statusMessage ?? "",
        headers: responseHeaders,
        rawHeaders: message.rawHeaders,
        redirects,
        // What is behind a stream is nobody we know, so what it supplies is held to the open internet's rules.
        zone: dial ? "public" : zoneOfAddress(message.socket.remoteAddress ?? ""),
        address: dial ? "" : (message.socket.remoteAddress ?? ""),
        body: stream,
        text: async () => {
          const chunks: Uint8Array[] = [];
          for await (const chunk of stream) chunks.push(chunk);
          return Buffer.concat(chunks).toString("utf8");
        },
        cancel: () => {
          stop.now(new McpError("ABORTED", "Reading was stopped."));
          watch?.end();
        },
      };
    } catch (error) {
      const failure = stop.failure ?? networkFailure(error, url.href);
      stop.release();
      watch?.end(failure);
      const isStale = outgoing.reusedSocket && failure.code === "CONNECTION_RESET";
      if (!isStale) throw failure;
      // The second try goes over a fresh socket, so it cannot end here again.
      impatient.add(url.origin);
      if (isRepeatable) return exchange(request, url, redirects);
      throw failure;
    }
  }

  async function follow(request: HttpRequest, url: URL, redirects: string[]): Promise<HttpResponse> {
    const response = await exchange(request, url, redirects);
    if (request.redirect === "manual") return response;
    const hop = nextHop(request, response, redirects);
    if (!hop) return response;
    response.cancel();
    return follow(hop, checkUrl(hop.url), [...redirects, String(hop.url)]);
  }

  return {
    policy: options.policy,
    request: async (request) => follow(request, checkUrl(request.url), []),
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

/** The stream is inside this process already: there is nothing for TLS to protect. */
function plainly(url: URL): URL {
  const plain = new URL(url);
  plain.protocol = "http:";
  return plain;
}

/** Sends the request and waits for the status line. */
function headOf(
  outgoing: ClientRequest,
  body: string | Uint8Array | undefined,
  limits: HttpTimeouts,
  stop: Stop,
  url: string,
  { onOpen, checkReached }: { onOpen: HttpRequest["onOpen"]; checkReached(address: string): void },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const wait = (phase: Phase, ms: number) => {
      clearTimeout(timer);
      if (Number.isFinite(ms)) timer = setTimeout(() => stop.now(timeout(phase, ms)), ms);
    };
    wait("connect", limits.connectMs);
    outgoing.on("socket", (socket) => {
      const ready = () => {
        stop.isOpen = true;
        onOpen?.();
        wait("first-byte", limits.firstByteMs);
      };
      if (socket.connecting) {
        socket.once("encrypted" in socket ? "secureConnect" : "connect", ready);
        return;
      }
      // A kept-alive socket was checked for whoever opened it; this request may come from someone with less right.
      try {
        checkReached(socket.remoteAddress ?? "");
        ready();
      } catch (error) {
        stop.now(asMcpError(error));
      }
    });
    outgoing.on("response", (message) => {
      clearTimeout(timer);
      if (message.statusCode !== 101) return resolve(message);
      message.destroy();
      reject(switched(url));
    });
    // Without a listener Node closes the socket and tells nobody.
    outgoing.on("upgrade", (_message, socket) => {
      clearTimeout(timer);
      socket.destroy();
      reject(switched(url));
    });
    outgoing.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.end(body);
  });
}

function switched(url: string): McpError {
  return new McpError(
    "HTTP_PROTOCOL",
    "The server switches to another protocol (101), which nobody asked for.",
    {
      details: { url, status: 101 },
      hint: "Check that the URL is that of an MCP endpoint, not of a WebSocket.",
    },
  );
}

/** Node throws at once on a method or header it cannot write; the caller learns which. */
function openRequest(url: URL, options: RequestOptions): ClientRequest {
  try {
    return moduleFor(url.protocol).request(url, options);
  } catch (error) {
    throw new McpError("BAD_OPTION", `The request cannot be written: ${asMcpError(error).message}`, {
      cause: error,
    });
  }
}

/** What both modules offer, with the same shapes. */
interface HttpModule {
  Agent: new (options?: AgentOptions) => HttpAgent;
  request(url: URL, options: RequestOptions): ClientRequest;
}

/**
 * `import "node:http"` would make Node evaluate every export, WebSocket and with it undici included: 45 ms at start-up
 * against 5. TLS costs 15 ms more, and plain http does not pay for it.
 */
function moduleFor(protocol: string): HttpModule {
  return process.getBuiltinModule(protocol === "http:" ? "node:http" : "node:https");
}

const defaultHeaders = { "user-agent": "fettle", "accept-encoding": "identity" };

/** Names stay as they were written: a server must read them in any case, and someone may want to see whether it does. */
function withDefaults(given: Record<string, string> = {}): Record<string, string> {
  const named = lowerCaseNames(given);
  const missing = Object.entries(defaultHeaders).filter(([name]) => !(name in named));
  return { ...Object.fromEntries(missing), ...given };
}

function lowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function joinedHeaders(message: IncomingMessage): Record<string, string> {
  const entries = Object.entries(message.headersDistinct);
  return Object.fromEntries(entries.map(([name, values = []]) => [name, values.join(", ")]));
}
