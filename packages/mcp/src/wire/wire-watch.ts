/** @module What a server does on the wire that no client expects, noticed while its messages are read. Only what was seen is said here; which rule it breaks is judged elsewhere. */
import { must } from "@fettle/contract/formats";
import {
  excerptOf,
  type Inbound,
  isAnswerWithoutId,
  isObject,
  type JsonObject,
  type MalformedInbound,
  type RequestId,
  type RpcErrorBody,
} from "../messages/jsonrpc.ts";
import { isKnownResultType, metaKeys, rpcCodes, understandsTasks } from "../messages/stateless-meta.ts";
import { ResultWatch } from "./result-watch.ts";
import type { Origin } from "./wire.ts";
import { stormSize, type WireProblem, wireProblem } from "./wire-problem.ts";

declare module "../failure.ts" {
  interface FailureDetails {
    /** What was odd on the wire until then. */
    problems?: readonly WireProblem[];
  }
}

/** Of one kind; what comes beyond is only counted. */
const keptProblems = 100;
const rememberedRequests = 1_000;

/** What a server may ask of a client, and the capability that allows it. */
const families: Record<string, string> = {
  "sampling/createMessage": "sampling",
  "elicitation/create": "elicitation",
  "roots/list": "roots",
};

type Notification = Extract<Inbound, { kind: "notification" }>;

interface SentRequest {
  method: string;
  /** Where in a list it asked to go on. */
  cursor: unknown;
  /** The tool or prompt it asked for. */
  name: unknown;
  state: "open" | "answered" | "abandoned";
  progressToken: unknown;
  /** As it was last told on the stream of this request. */
  progress: number | undefined;
  /** The stateless revision's envelope was around it. */
  isStateless: boolean;
  takesTasks: boolean;
}

/** Follows one conversation: told of every message, in either direction, in order. */
export class WireWatch {
  readonly problems: WireProblem[] = [];
  /** Where a problem stands in the list: by its sentence, and the last of its kind. */
  readonly #places = new Map<string, number>();
  readonly #kinds = new Map<WireProblem["code"], number>();
  readonly #sent = new Map<RequestId, SentRequest>();
  readonly #results = new ResultWatch();
  #hasForgotten = false;
  /** From the handshake; undefined while none was made, as in the stateless revision. */
  #clientCapabilities: JsonObject | undefined;
  #serverCapabilities: JsonObject | undefined;
  /** Notifications that came before the capabilities were known. */
  readonly #early = new Map<string, string>();
  /** How often each came since the last answer. */
  readonly #since = new Map<string, number>();
  /** Between the first and the last line of a message that is spread over several. */
  #isInside = false;
  readonly #sendsUnreadable: boolean;

  /** `sendsUnreadable`: what is sent may be no message at all, on purpose, and is answered without an id then. */
  constructor({ sendsUnreadable = false } = {}) {
    this.#sendsUnreadable = sendsUnreadable;
  }

  /** The same again is counted, so that how often it came is no guess, and a flood of one kind hides no other. */
  add(problem: WireProblem): void {
    const { code, message } = problem;
    const key = `${code} ${message}`;
    const kept = this.#kinds.get(code) ?? 0;
    const at = this.#places.get(key) ?? (kept < keptProblems ? undefined : this.#places.get(code));
    const known = at === undefined ? undefined : this.problems[at];
    if (at !== undefined && known) {
      this.problems[at] = { ...known, times: (known.times ?? 1) + 1 };
      return;
    }
    this.#kinds.set(code, kept + 1);
    for (const name of [key, code]) this.#places.set(name, this.problems.length);
    this.problems.push(problem);
  }

  sent(message: JsonObject): void {
    const { id, method, params } = message;
    if (typeof method !== "string" || (typeof id !== "string" && typeof id !== "number")) return;
    const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
    const isStateless = metaKeys.protocolVersion in meta;
    this.#sent.set(id, {
      method,
      cursor: isObject(params) ? params.cursor : undefined,
      name: isObject(params) ? params.name : undefined,
      state: "open",
      progressToken: meta.progressToken,
      progress: undefined,
      isStateless,
      takesTasks: understandsTasks(params),
    });
    if (method === "initialize" && !isStateless) {
      const declared = isObject(params) ? params.capabilities : undefined;
      this.#clientCapabilities = isObject(declared) ? declared : {};
    }
    if (this.#sent.size <= rememberedRequests) return;
    this.#hasForgotten = true;
    this.#sent.delete(must(this.#sent.keys().next().value, "the oldest of many requests"));
  }

  /** Nobody waits for this answer any more: one that comes all the same is no fault. */
  abandoned(id: RequestId): void {
    const request = this.#sent.get(id);
    if (request) request.state = "abandoned";
  }

  knows(id: RequestId): boolean {
    return this.#sent.has(id);
  }

  heard(inbound: Inbound, origin: Origin = {}): void {
    for (const odd of inbound.odd ?? []) this.add(oddities[odd]);
    switch (inbound.kind) {
      case "result":
        this.#result(inbound.id, inbound.result, origin);
        break;
      case "error":
        if (inbound.id !== null) this.#refused(this.#answer(inbound.id), inbound.error);
        else this.#errorWithoutId(inbound.error, origin);
        break;
      case "notification":
        this.#notification(inbound, origin);
        break;
      case "request":
        this.#request(inbound.method, inbound.params);
        break;
      case "malformed":
        this.#malformed(inbound);
        break;
    }
  }

  #malformed(inbound: MalformedInbound): void {
    const { excerpt, reason, message } = inbound;
    const line = excerpt.trim();
    if (isAnswerWithoutId(inbound)) {
      const id = isObject(message) && "id" in message ? { id: message.id } : {};
      this.add({ ...wireProblem("UNKNOWN_ID", id), excerpt });
    } else if (line === "{" || this.#isInside) {
      // The lines of one message are one fault.
      if (!this.#isInside) this.add({ ...wireProblem("SPREAD_OUT"), excerpt });
      this.#isInside = line !== "}";
    } else {
      // Too large or deep is our limit, not the server's fault.
      const code = inbound.limit ? "TOO_MUCH" : "MALFORMED";
      this.add({ ...wireProblem(code, reason), excerpt });
    }
  }

  #answer(id: RequestId): SentRequest | undefined {
    this.#since.clear();
    const request = this.#sent.get(id);
    if (!request) {
      if (!this.#hasForgotten) this.add(wireProblem("UNKNOWN_ID", { id, asked: this.requestNamed(id) }));
      return undefined;
    }
    if (request.state === "answered") {
      this.add(wireProblem("DUPLICATE_ANSWER", id, request.method));
    } else if (request.state === "open") request.state = "answered";
    return request;
  }

  #refused(request: SentRequest | undefined, { code }: RpcErrorBody): void {
    if (!request || code !== rpcCodes.methodNotFound) return;
    const { method, isStateless } = request;
    const capability = servedFor[method];
    // The stateless revision has no such method, and refuses it.
    if (capability === undefined || (isStateless && method === "logging/setLevel")) return;
    if (this.#serverCapabilities?.[capability] === undefined) return;
    this.add(wireProblem("CAPABILITY_NOT_SERVED", capability, method));
  }

  /** It belongs to no request. Whoever could not read one may say so; and over HTTP what is refused needs no id. */
  #errorWithoutId({ code, message }: RpcErrorBody, { httpStatus, isStream, answers }: Origin): void {
    const isUnreadable = code === rpcCodes.parseError || code === rpcCodes.invalidRequest;
    const mayLackId = this.#sendsUnreadable && isUnreadable;
    const isOwnBody = httpStatus !== undefined && !isStream && (httpStatus >= 400 || answers === undefined);
    if (mayLackId || isOwnBody) return;
    this.add(wireProblem("UNKNOWN_ID", { error: message }));
  }

  /** The request whose id differs from this one in its type alone. */
  requestNamed(id: RequestId): RequestId | undefined {
    const other = typeof id === "string" ? Number(id) : String(id);
    return String(other) === String(id) && this.#sent.has(other) ? other : undefined;
  }

  #result(id: RequestId, result: unknown, origin: Origin): void {
    const request = this.#answer(id);
    const { httpStatus = 200 } = origin;
    if (httpStatus >= 400)
      this.add(wireProblem("RESULT_ON_ERROR_STATUS", request?.method ?? "a request", httpStatus));
    if (!request || !isObject(result)) return;
    for (const problem of this.#results.problemsIn(request, result)) this.add(problem);
    if (request.method === "initialize" || request.method === "server/discover") {
      this.#learnCapabilities(result.capabilities);
    }
    if (request.isStateless && !isKnownResultType(result.resultType, request.takesTasks)) {
      this.add(wireProblem("UNKNOWN_RESULT_TYPE", request.method, result.resultType));
    }
  }

  #learnCapabilities(capabilities: unknown): void {
    if (!isObject(capabilities)) return;
    this.#serverCapabilities = capabilities;
    for (const [method, excerpt] of this.#early) this.#declared(method, excerpt);
    this.#early.clear();
  }

  #notification({ method, params, message }: Notification, origin: Origin): void {
    const excerpt = excerptOf(JSON.stringify(message));
    if ("id" in message) this.add({ ...wireProblem("NOTIFICATION_WITH_ID", method), excerpt });
    if (method in declaredBy) this.#declared(method, excerpt);
    const count = (this.#since.get(method) ?? 0) + 1;
    if (count <= stormSize + 1) this.#since.set(method, count);
    if (count === stormSize + 1) this.add({ ...wireProblem("NOTIFICATION_STORM", method), excerpt });
    if (method === "notifications/progress" && !this.#hasForgotten) this.#progress(params, origin, excerpt);
  }

  #declared(method: string, excerpt: string): void {
    const capability = declaredBy[method];
    if (capability === undefined) return;
    if (this.#serverCapabilities === undefined) {
      if (!this.#early.has(method)) this.#early.set(method, excerpt);
      return;
    }
    const [family = "", flag] = capability.split(".");
    const declared = this.#serverCapabilities[family];
    if (flag === undefined ? declared !== undefined : isObject(declared) && declared[flag] === true) return;
    const problem =
      method === "notifications/message"
        ? wireProblem("LOG_UNDECLARED")
        : wireProblem("NOTIFICATION_UNDECLARED", method, capability);
    this.add({ ...problem, excerpt });
  }

  #progress({ progressToken, progress }: JsonObject, { answers, httpStatus }: Origin, excerpt: string): void {
    const asking = [...this.#sent].filter(([, request]) => request.progressToken === progressToken);
    if (asking.length === 0) this.add({ ...wireProblem("PROGRESS_UNASKED", progressToken), excerpt });
    const [only] = asking;
    // With one token for several requests nobody can say whose progress it is.
    if (!only || asking.length > 1) return;
    const [id, request] = only;
    // Over HTTP only what came on the stream of the request has an order.
    if (httpStatus !== undefined && answers !== id) return;
    if (request.state === "answered") {
      this.add({ ...wireProblem("PROGRESS_AFTER_ANSWER", request.method), excerpt });
    } else if (typeof progress === "number") {
      if (request.progress !== undefined && progress <= request.progress) {
        const rising = wireProblem("PROGRESS_NOT_RISING", request.method, request.progress, progress);
        this.add({ ...rising, excerpt });
      }
      request.progress = progress;
    }
  }

  #request(method: string, params: JsonObject): void {
    const declared = this.#clientCapabilities;
    if (declared === undefined) {
      this.add(wireProblem("REQUEST_IN_STATELESS", method));
      return;
    }
    if (method === "ping") return;
    const missing = missingCapability(method, params, declared);
    if (missing !== undefined) this.add(wireProblem("REQUEST_UNDECLARED", method, missing));
  }
}

/** What a declared capability is for. Without its tools a server is of no use, and every command fails by itself. */
const servedFor: Record<string, string> = {
  "logging/setLevel": "logging",
  "prompts/list": "prompts",
  "resources/list": "resources",
};

/** What a server must have declared to send these. */
const declaredBy: Record<string, string> = {
  "notifications/message": "logging",
  "notifications/tools/list_changed": "tools.listChanged",
  "notifications/prompts/list_changed": "prompts.listChanged",
  "notifications/resources/list_changed": "resources.listChanged",
  "notifications/resources/updated": "resources.subscribe",
};

/** Undefined when the client declared what the request needs, or may have: an experimental capability can mean any method. */
function missingCapability(method: string, params: JsonObject, declared: JsonObject): string | undefined {
  const family = families[method];
  if (family === undefined) {
    const isOpen = ["experimental", "extensions", "tasks"].some((name) => name in declared);
    return isOpen ? undefined : "anything of the kind";
  }
  const capability = declared[family];
  if (!isObject(capability)) return family;
  if (family === "elicitation" && params.mode === "url" && !("url" in capability)) return "elicitation.url";
  return undefined;
}

const oddities: Record<NonNullable<Inbound["odd"]>[number], WireProblem> = {
  batch: wireProblem("BATCH_ARRAY"),
  "byte-order-mark": wireProblem("BYTE_ORDER_MARK"),
  "not-utf8": wireProblem("INVALID_UTF8"),
};
