/** @module The conversation over Streamable HTTP, made of hand-built requests: a session where the era has them, and the stream for what a server says by itself. */
import {
  type Inbound,
  isRepeatable,
  type JsonObject,
  McpError,
  type Origin,
  type RawAnswer,
  type RawHttp,
  type RawRequest,
  type RequestId,
  WireWatch,
} from "@fettle/mcp";
import { type Exchange, isAnswer, short } from "./exchange.ts";
import {
  type Answerer,
  type AskOptions,
  agreedVersion,
  type HttpTalk,
  initializeParams,
  type Opening,
  openingOf,
  prepared,
  replyTo,
  requireAnswer,
  type SeenHead,
  type TalkOptions,
} from "./talk.ts";

/** A stream should end after its answer; one that does not is not waited for, as a client does not. */
const answeredLingerMs = 250;
const accept = "application/json, text/event-stream";

/** Everything a POST of this transport must carry, beside what the era adds. */
export const postHeaders = { "content-type": "application/json", accept };

export interface HttpTalkOptions extends TalkOptions {
  raw: RawHttp;
  /** Credentials and the operator's own headers. */
  targetHeaders: Record<string, string>;
  /** Open the stream for what the server says by itself, in the stateful era. */
  listens: boolean;
  /** What comes on such streams is kept here. */
  listened?: Exchange[];
}

export function openHttpTalk(options: HttpTalkOptions): HttpTalk {
  const { raw, era, transcript, timeoutMs } = options;
  const over = new AbortController();
  const answerers = new Set<Answerer>();
  /** Exchanges that also want to hear what comes on the listening stream. */
  const eager = new Set<Inbound[]>();
  let version = options.version;
  let sessionId: string | undefined;
  let nextId = 1;
  let opening: Promise<Opening> | undefined;

  const sessions = new Set<string>();
  const listeningHead = Promise.withResolvers<SeenHead>();
  // Not everybody wants to know.
  listeningHead.promise.catch(() => {});
  const watch = new WireWatch({ sendsUnreadable: true });

  const sessionHeaders = (): Record<string, string> =>
    sessionId === undefined ? {} : { "mcp-session-id": sessionId };

  async function send(
    request: RawRequest,
    about: Pick<Exchange, "method" | "params" | "id" | "headers">,
    { answer, until, window, lingerMs = until ? 0 : answeredLingerMs }: AskOptions = {},
  ): Promise<Exchange> {
    const heardAside: Inbound[] = [];
    const sentAt = performance.now();
    if (answer) {
      answerers.add(answer);
      eager.add(heardAside);
    }
    try {
      const seen = await raw.exchange({
        signal: over.signal,
        ...request,
        repeatable: about.id === undefined || isRepeatable(about.method ?? ""),
        window: { totalMs: timeoutMs, idleMs: timeoutMs, ...window },
        lingerMs,
        until(message) {
          if (message.kind === "request") void reply(message, answer);
          if (until) return until(message);
          // Whoever asked for a window wants to see all that comes in it.
          return !window && isAnswer(message) && about.id !== undefined && message.id === about.id;
        },
      });
      for (const message of seen.messages) {
        watch.heard(message, originOf(seen, about.id));
      }
      for (const problem of seen.noticed) watch.add(problem);
      const session = request.headers?.["mcp-session-id"] ?? seen.headers["mcp-session-id"];
      const exchange = toExchange(seen, { ...about, ...(session !== undefined && { session }) }, heardAside);
      transcript.push(exchange);
      const minted = about.method === "initialize" ? seen.headers["mcp-session-id"] : undefined;
      if (minted !== undefined) sessions.add(minted);
      if (!window) requireAnswer(exchange, sentAt);
      return exchange;
    } finally {
      if (answer) answerers.delete(answer);
      eager.delete(heardAside);
    }
  }

  /** A reply that cannot be delivered has nobody to be told to: the call it belongs to shows it. */
  async function reply(
    request: Extract<Inbound, { kind: "request" }>,
    answer: Answerer | undefined,
  ): Promise<void> {
    const { headers } = prepared({ era, version }, "", undefined, {});
    const message = replyTo(request, [answer, ...answerers]);
    await raw
      .exchange({
        headers: { ...options.targetHeaders, ...postHeaders, ...headers, ...sessionHeaders() },
        body: message,
        signal: over.signal,
        window: { totalMs: timeoutMs },
      })
      .catch(() => {});
  }

  function request(
    method: string,
    params: JsonObject | undefined,
    asked: AskOptions,
    id?: RequestId,
  ): Promise<Exchange> {
    const made = prepared({ era, version }, method, params, asked);
    const headers = withChanges(
      { ...options.targetHeaders, ...postHeaders, ...made.headers, ...sessionHeaders() },
      asked.headers,
    );
    const body = {
      jsonrpc: "2.0",
      ...(id !== undefined && { id }),
      method,
      ...(made.params && { params: made.params }),
    };
    watch.sent(body);
    const about = {
      method,
      ...(made.params && { params: made.params }),
      ...(id !== undefined && { id }),
      headers: routing(headers),
    };
    return send({ headers, body }, about, asked);
  }

  async function shakeHands(): Promise<Opening> {
    const exchange = await request("initialize", initializeParams(version), {}, nextId++);
    sessionId = exchange.http?.headers["mcp-session-id"];
    const found = openingOf(exchange, sessionId === undefined ? {} : { sessionId });
    if (typeof found.result?.protocolVersion !== "string") return found;
    version = found.result.protocolVersion;
    const initialized = await request("notifications/initialized", undefined, {});
    if (options.listens) listen();
    return { ...found, initialized };
  }

  /** Servers may ask and tell on a stream of its own; one that offers none is fine. */
  function listen(): void {
    const { headers } = prepared({ era, version }, "", undefined, {});
    const stream: Exchange = {
      ...(sessionId !== undefined && { session: sessionId }),
      heard: [],
      events: [],
      ended: "window",
    };
    options.listened?.push(stream);
    // A server may hold its headers back until it has something to say.
    const message = `GET was not answered within ${timeoutMs} ms.`;
    const late = setTimeout(() => listeningHead.reject(new McpError("TIMEOUT", message)), timeoutMs);
    over.signal.addEventListener("abort", () => clearTimeout(late), { once: true });
    raw
      .exchange({
        method: "GET",
        headers: {
          ...options.targetHeaders,
          accept: "text/event-stream",
          ...headers,
          ...sessionHeaders(),
        },
        window: { totalMs: listenMs, idleMs: listenMs },
        signal: over.signal,
        onHead: listeningHead.resolve,
        until(message) {
          watch.heard(message, { httpStatus: 200, isStream: true });
          stream.heard.push(message);
          for (const heard of eager) heard.push(message);
          if (message.kind === "request") void reply(message, undefined);
          return false;
        },
      })
      .catch(listeningHead.reject)
      .finally(() => clearTimeout(late));
  }

  const open = () => {
    opening ??=
      era === "stateful"
        ? shakeHands()
        : request("server/discover", undefined, {}, nextId++).then((exchange) => openingOf(exchange));
    return opening;
  };

  return {
    transport: "streamable-http",
    era,
    raw,
    get version() {
      return version;
    },
    open,
    problems: () => watch.problems,
    sessionId: () => sessionId,
    headers() {
      const { "mcp-method": _none, ...headers } = prepared({ era, version }, "", undefined, {}).headers;
      return { ...options.targetHeaders, ...headers, ...sessionHeaders() };
    },
    async listening() {
      agreedVersion(await open());
      return listeningHead.promise;
    },
    async ask(method, params, asked = {}) {
      if (era === "stateful" && method !== "initialize") agreedVersion(await open());
      return request(method, params, asked, asked.id ?? nextId++);
    },
    async notify(method, params) {
      if (era === "stateful") agreedVersion(await open());
      return request(method, params, {});
    },
    async close() {
      over.abort();
      const end = (id: string) =>
        raw
          .exchange({
            method: "DELETE",
            headers: { ...options.targetHeaders, "mcp-session-id": id },
            headOnly: true,
            window: { totalMs: 1_000 },
          })
          .catch(() => {});
      await Promise.all([...sessions].map(end));
    },
  };
}

/** As long as any run takes; it is cut when the conversation ends. */
const listenMs = 600_000;

function toExchange(
  seen: RawAnswer,
  about: Pick<Exchange, "method" | "params" | "id" | "headers" | "session">,
  aside: readonly Inbound[],
): Exchange {
  // A body that was cut off is no message, and not malformed either.
  const isCut = seen.mediaType !== "text/event-stream" && (seen.ended === "window" || seen.ended === "limit");
  const messages = isCut ? [] : seen.messages;
  const answers = messages.filter(isAnswer);
  const answer = answers.find((message) => about.id !== undefined && message.id === about.id) ?? answers[0];
  return {
    ...about,
    http: {
      status: seen.status,
      mediaType: seen.mediaType,
      headers: seen.headers,
      excerpt: short(seen.text, 400),
      isEmpty: seen.text.trim() === "",
    },
    heard: [...messages, ...aside],
    ...(answer && { answer }),
    events: seen.events,
    ended: seen.ended,
  };
}

/** Only on a stream what comes with an answer has an order. */
function originOf({ status, mediaType }: RawAnswer, answers: RequestId | undefined): Origin {
  const isStream = mediaType === "text/event-stream";
  return { httpStatus: status, isStream, ...(isStream && answers !== undefined && { answers }) };
}

function withChanges(
  headers: Record<string, string>,
  changes: Record<string, string | undefined> = {},
): Record<string, string> {
  const changed = new Map(Object.entries(headers));
  for (const [name, value] of Object.entries(changes)) {
    for (const known of changed.keys()) if (known.toLowerCase() === name.toLowerCase()) changed.delete(known);
    if (value !== undefined) changed.set(name, value);
  }
  return Object.fromEntries(changed);
}

/** The headers that say something about MCP; the rest may hold credentials. */
function routing(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      /^(mcp-(protocol-version|method|name|param-.*)|host|origin)$/i.test(name),
    ),
  );
}
