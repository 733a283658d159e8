/** @module A live connection: what the server is, and everything one can ask of it. Made by `connect`. */
import { markedArguments } from "@fettle/contract/secrets";
import type { Era, EraKind, Opening } from "../eras/era.ts";
import { refuseUnknownType, removedMethods, serverInfoOf } from "../eras/era-2026-07-28.ts";
import { sendWithInput } from "../eras/input-required.ts";
import { paramHeadersFor, scanParamHeaders } from "../eras/param-headers.ts";
import { hideInFailure, isMcpError, McpError } from "../failure.ts";
import { type HostProfile, visibleTools } from "../hosts/host.ts";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { metaKeys, rpcCodes, taskDeclaration } from "../messages/stateless-meta.ts";
import type { Recorder } from "../recording/recording.ts";
import type { Answer, RequestOptions } from "../wire/dialog.ts";
import type { WireKind } from "../wire/wire.ts";
import type { WireProblem } from "../wire/wire-problem.ts";
import type { InboundRequests, Refusal } from "./client-handlers.ts";
import type { Link } from "./link.ts";
import {
  type ListKind,
  type ListOptions,
  type ListWalk,
  type Prompt,
  type Resource,
  type ResourceTemplate,
  type Tool,
  walkList,
} from "./lists.ts";

export interface CallOptions extends RequestOptions {
  /** Rounds of `input_required` to answer; 0 hands the first such result over as it is. */
  inputRounds?: number;
  /** False: do not mirror annotated arguments into `Mcp-Param-*` headers. */
  paramHeaders?: boolean;
  /** Take a task for an answer: asked for with a time to live (2025-11-25), or declared as understood (2026-07-28). */
  task?: { ttl?: number };
  meta?: JsonObject;
}

export interface ToolWalk extends ListWalk<Tool> {
  /** Tools the emulated host would not see; absent when no host is emulated. */
  toolsDroppedVisibility?: number;
}

export type NotificationListener = (method: string, params: JsonObject) => void;

export interface ConnectionParts {
  link: Link;
  era: Era;
  opening: Opening;
  inbound: InboundRequests;
  clientCapabilities: JsonObject;
  host?: HostProfile | undefined;
  notifications: Set<NotificationListener>;
  closed: Promise<McpError>;
  /** Shakes hands anew after the session was lost. */
  reopen(): Promise<Opening>;
}

const defaultInputRounds = 10;
const harmless = /\/(list|get|read|discover|complete)$|^ping$|^initialize$/;

/** Asking twice does no harm, so it may be sent again over a fresh socket. */
export function isRepeatable(method: string): boolean {
  return harmless.test(method);
}

export class Connection {
  readonly #link: Link;
  readonly #era: Era;
  readonly #inbound: InboundRequests;
  readonly #host: HostProfile | undefined;
  readonly #notifications: Set<NotificationListener>;
  readonly #reopen: () => Promise<Opening>;
  readonly #toolSchemas = new Map<string, unknown>();
  #opening: Opening;
  #reopening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  readonly clientCapabilities: JsonObject;
  /** Resolves with the reason when the connection has ended, whoever ended it. */
  readonly closed: Promise<McpError>;

  constructor(parts: ConnectionParts) {
    this.#link = parts.link;
    this.#era = parts.era;
    this.#opening = parts.opening;
    this.#inbound = parts.inbound;
    this.#host = parts.host;
    this.#notifications = parts.notifications;
    this.#reopen = parts.reopen;
    this.closed = parts.closed;
    this.clientCapabilities = parts.clientCapabilities;
  }

  get era(): EraKind {
    return this.#era.kind;
  }
  get protocolVersion(): string {
    return this.#opening.protocolVersion;
  }
  get transport(): WireKind {
    return this.#link.dialog.wire.kind;
  }
  get serverInfo(): JsonObject | null {
    return this.#opening.serverInfo;
  }
  get capabilities(): JsonObject {
    return this.#opening.capabilities;
  }
  get instructions(): string | undefined {
    return this.#opening.instructions;
  }
  /** The initialize or discover result as it came. */
  get opening(): Opening {
    return this.#opening;
  }
  get recorder(): Recorder {
    return this.#link.recorder;
  }
  /** Rules the server broke without ending a call. */
  get problems(): readonly WireProblem[] {
    return this.#link.dialog.problems;
  }
  /** What the server asked of us and did not get. */
  get refusals(): readonly Refusal[] {
    return this.#inbound.refusals;
  }
  /** The server keeps nothing of this client between requests, so that whoever asks next finds it as the first one did. */
  get isSessionless(): boolean {
    const { wire } = this.#link.dialog;
    if (wire.kind !== "streamable-http") return false;
    return this.#era.kind === "stateless" || wire.sessionId() === undefined;
  }
  /** Why the connection ended, once it has. */
  get closedBecause(): McpError | undefined {
    return this.#link.dialog.failure;
  }
  /** For the modules that build on a connection: raw access, tasks, subscriptions. */
  get link(): Link {
    return this.#link;
  }

  /** Any method, with the era's envelope and headers added. Resolves to the `result`. */
  async request(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<unknown> {
    return (await this.#ask(method, params, options)).result;
  }

  async #ask(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<Answer> {
    const send = async () => {
      const prepared = this.#era.prepare(method, params);
      const answer = await this.#link.dialog.request(method, prepared.params, {
        ...options,
        headers: { ...prepared.headers, ...options.headers },
        repeatable: options.repeatable ?? isRepeatable(method),
      });
      if (this.#era.kind === "stateless") refuseUnknownType(method, prepared.params, answer.result);
      return answer;
    };
    const asking = this.#link.authorized(async () => {
      const session = this.#opening;
      try {
        return await send();
      } catch (error) {
        if (!isMcpError(error, "SESSION_EXPIRED")) throw error;
        // Another call may have renewed it while this one was under way.
        if (this.#opening === session) await this.#renew();
        return send();
      }
    }, options.signal);
    const answer = await asking.catch((error: unknown) => {
      throw hideInFailure(error, (value) => this.recorder.hide(value));
    });
    if (this.#era.kind === "stateless" && this.#opening.serverInfo === null) {
      this.#opening.serverInfo = serverInfoOf(answer.result);
    }
    return answer;
  }

  async notify(method: string, params?: JsonObject): Promise<void> {
    const prepared = this.#era.prepare(method, params);
    await this.#link.dialog.notify(method, prepared.params, { headers: prepared.headers });
  }

  /** Answers a question that stands inside a result or a task; undefined when nobody can. */
  answer(...question: Parameters<InboundRequests["answer"]>): Promise<JsonObject> | undefined {
    return this.#inbound.answer(...question);
  }

  /** Hears every notification until the returned function is called. */
  onNotification(listener: NotificationListener): () => void {
    this.#notifications.add(listener);
    return () => this.#notifications.delete(listener);
  }

  /** Opens the way for what the server says of its own accord; false when this server or era has none. */
  async listen(): Promise<boolean> {
    const { wire } = this.#link.dialog;
    if (this.#era.kind === "stateless") return false;
    if (wire.kind !== "streamable-http") return true;
    return wire.listen(this.#era.prepare("", undefined).headers);
  }

  async listTools(options: ListOptions = {}): Promise<ToolWalk> {
    const walk = await this.#list<Tool>("tools", options);
    for (const tool of walk.items) this.#toolSchemas.set(tool.name, tool.inputSchema);
    if (!this.#host) return walk;
    const { tools, toolsDroppedVisibility } = visibleTools(this.#host, walk.items);
    return { ...walk, items: tools, toolsDroppedVisibility };
  }
  listResources(options: ListOptions = {}): Promise<ListWalk<Resource>> {
    return this.#list("resources", options);
  }
  listResourceTemplates(options: ListOptions = {}): Promise<ListWalk<ResourceTemplate>> {
    return this.#list("resourceTemplates", options);
  }
  listPrompts(options: ListOptions = {}): Promise<ListWalk<Prompt>> {
    return this.#list("prompts", options);
  }

  /** Whether a list has shown the tool, and with it which of its arguments are credentials. */
  knowsTool(name: string): boolean {
    return this.#toolSchemas.has(name);
  }

  /** Takes what the tool marks as a credential (`format: password`, `writeOnly`) out of everything that is recorded from now on. */
  withhold(name: string, args: unknown): void {
    this.recorder.addArguments(markedArguments(this.#toolSchemas.get(name), args));
  }

  async callTool(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<JsonObject> {
    this.withhold(name, args);
    const { task, ...callOptions } = options;
    const declares = task !== undefined && this.#era.kind === "stateless";
    const params = { name, arguments: args, ...(task && !declares && { task }) };
    const meta = declares ? { ...taskDeclaration(this.clientCapabilities), ...options.meta } : options.meta;
    const mirror = this.#mirrorsParams && options.paramHeaders !== false;
    const call = () =>
      this.#withInput("tools/call", params, {
        ...callOptions,
        ...(meta && { meta }),
        ...(mirror && { headers: { ...this.#paramHeaders(name, args), ...options.headers } }),
      });
    if (!mirror || this.#toolSchemas.has(name)) return call();
    try {
      return await call();
    } catch (error) {
      // The tool may want headers we do not know of yet: its definition says which.
      if (!isMcpError(error, "RPC_ERROR") || error.details.rpcCode !== rpcCodes.headerMismatch) throw error;
      await this.listTools({ signal: options.signal });
      if (!this.#toolSchemas.has(name)) throw error;
      return call();
    }
  }

  readResource(uri: string, options: CallOptions = {}): Promise<JsonObject> {
    return this.#withInput("resources/read", { uri }, options);
  }

  getPrompt(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<JsonObject> {
    this.recorder.addArguments(markedArguments(undefined, args));
    return this.#withInput("prompts/get", { name, arguments: args }, options);
  }

  async complete(
    ref: JsonObject,
    argument: { name: string; value: string },
    options: CallOptions & { context?: JsonObject } = {},
  ): Promise<JsonObject> {
    const params = { ref, argument, ...(options.context && { context: options.context }) };
    return asResult("completion/complete", await this.request("completion/complete", params, options));
  }

  /** Is it alive? The stateless revision has no ping, so `server/discover` is asked there; `method` says which was. */
  async ping(
    options: RequestOptions = {},
  ): Promise<{ method: string; result: JsonObject; durationMs: number }> {
    const method = this.#era.kind === "stateless" ? "server/discover" : "ping";
    const started = performance.now();
    const result = asResult(method, await this.request(method, undefined, options));
    return { method, result, durationMs: Math.round(performance.now() - started) };
  }

  async setLevel(level: string, options: RequestOptions = {}): Promise<void> {
    this.assertMethod("logging/setLevel");
    await this.request("logging/setLevel", { level }, options);
  }

  /** Throws NOT_SUPPORTED for a method this era no longer has. */
  assertMethod(method: string): void {
    if (this.#era.kind !== "stateless" || !removedMethods.has(method)) return;
    const instead =
      method === "logging/setLevel" ? ` Send _meta["${metaKeys.logLevel}"] with a request.` : "";
    throw new McpError("NOT_SUPPORTED", `${method} does not exist in ${this.protocolVersion}.${instead}`);
  }

  /** Ends the connection and everything it holds; safe to call twice. */
  close(): Promise<void> {
    this.#closing ??= this.#link.dialog.wire.close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #mirrorsParams(): boolean {
    return this.#era.kind === "stateless" && this.transport === "streamable-http";
  }

  #paramHeaders(name: string, args: JsonObject): Record<string, string> {
    const scan = scanParamHeaders(this.#toolSchemas.get(name));
    return scan.ok ? paramHeadersFor(scan.headers, args) : {};
  }

  #list<T extends JsonObject>(kind: ListKind, options: ListOptions): Promise<ListWalk<T>> {
    return walkList<T>(
      kind,
      async (method, params) => {
        const { result, origin } = await this.#ask(method, params, {
          signal: options.signal,
          onProgress: options.onProgress,
        });
        return { page: result, bytes: origin.bytes ?? 0 };
      },
      {
        maxPages: this.#link.limits.listPages,
        maxBytes: this.#link.limits.listBytes,
        checkParamHeaders: this.#mirrorsParams,
      },
      options,
    );
  }

  async #withInput(method: string, params: JsonObject, options: CallOptions): Promise<JsonObject> {
    const { inputRounds = defaultInputRounds, meta, ...requestOptions } = options;
    const withMeta = meta ? { ...params, _meta: meta } : params;
    const signal = options.signal ?? new AbortController().signal;
    const result = await sendWithInput(method, {
      maxRounds: inputRounds,
      answer: (request) => this.answer(request.method, request.params, signal, options.handlers),
      send: (extra) => this.request(method, { ...withMeta, ...extra }, requestOptions),
    });
    return asResult(method, result);
  }

  async #renew(): Promise<void> {
    this.#reopening ??= this.#reopen()
      .then((opening) => {
        this.#opening = opening;
      })
      .finally(() => {
        this.#reopening = undefined;
      });
    await this.#reopening;
  }
}

function asResult(method: string, result: unknown): JsonObject {
  if (isObject(result)) return result;
  throw new McpError("INVALID_RESULT", `The result of ${method} is not an object.`, {
    details: { method, data: result },
  });
}
