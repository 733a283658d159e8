/** @module What happened on one connection, in order: HTTP exchanges, messages, SSE event ids, stderr, timings; bounded, and free of secrets when read. */
import type { HttpExchange } from "@fettle/contract/formats";
import { redact } from "@fettle/contract/secrets";
import type { HttpObserver } from "../guard/client.ts";
import { excerptOf } from "../messages/jsonrpc.ts";
import { type Hide, hiding, type KnownSecret, redactBody } from "./known-secrets.ts";

export interface MessageEntry {
  kind: "message";
  at: number;
  direction: "send" | "receive";
  /** The parsed message; for what could not be parsed or kept, its text. */
  message: unknown;
  bytes: number;
  truncated?: boolean;
  /** Why it is not a message, when it is not. */
  malformed?: string;
  httpStatus?: number;
  eventId?: string;
}

export interface HttpEntry extends HttpExchange {
  kind: "http";
  truncated?: boolean;
}

interface EventEntry {
  kind: "event";
  at: number;
  url: string;
  event: string;
  id?: string;
  retry?: number;
  bytes: number;
}

interface StderrEntry {
  kind: "stderr";
  at: number;
  text: string;
}

/** A step of the connection's life: spawned, era chosen, session opened, closed. */
interface NoteEntry {
  kind: "note";
  at: number;
  note: string;
  details?: Record<string, unknown>;
}

export type RecordingEntry = MessageEntry | HttpEntry | EventEntry | StderrEntry | NoteEntry;

export interface Recording {
  startedAt: number;
  label: string;
  entries: RecordingEntry[];
  /** Entries that no longer fit. The first ones (the handshake) and the newest are kept. */
  dropped: number;
}

export interface RecorderLimits {
  entries: number;
  bytes: number;
  /** Of one message or body. */
  textBytes: number;
}

const recorderLimits: RecorderLimits = {
  entries: 2_000,
  bytes: 8 * 1024 * 1024,
  textBytes: 256 * 1024,
};

/** The messages of a while as they were then, and what had to be hidden then. */
export interface HeldMessages {
  hide: Hide;
  /** Free of secrets. */
  read(): MessageEntry[];
}

export interface RecorderOptions {
  label?: string;
  /** Values to remove wherever they appear: tokens, header values, environment values. */
  secrets?: readonly KnownSecret[];
  limits?: Partial<RecorderLimits>;
  now?: () => number;
  /** Told of each entry as it is made (an HTTP exchange: when it ends), already free of secrets. */
  onEntry?: (entry: RecordingEntry) => void;
}

const keptFromStart = 100;
const mostArguments = 100;

/** Collects entries. Recording is cheap; redaction happens when the recording is read. */
export class Recorder implements HttpObserver {
  readonly #label: string;
  readonly #limits: RecorderLimits;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #secrets: KnownSecret[];
  #arguments: readonly string[] = [];
  readonly #heeding = new Set<(values: readonly string[]) => void>();
  /** Made when it is first needed, and anew when there is more to hide. */
  #hide: Hide | undefined;
  readonly #onEntry: ((entry: RecordingEntry) => void) | undefined;
  #entries: { entry: RecordingEntry; bytes: number }[] = [];
  #bytes = 0;
  #dropped = 0;
  #largestBody = 0;

  constructor(options: RecorderOptions = {}) {
    this.#label = options.label ?? "";
    this.#limits = { ...recorderLimits, ...options.limits };
    this.#now = options.now ?? Date.now;
    this.#startedAt = this.#now();
    this.#secrets = [...(options.secrets ?? [])];
    this.#onEntry = options.onEntry;
  }

  /** How many bytes the largest body had that came, as far as it was read. */
  get largestBody(): number {
    return this.#largestBody;
  }

  /** Removes a value learnt later, such as a refreshed token, from everything read from now on. */
  addSecret(value: string): void {
    if (this.#secrets.includes(value)) return;
    this.#secrets.push(value);
    this.#hide = undefined;
  }

  /**
   * Values that a caller sent as arguments and nobody is to see again. A connection serves many calls: only the latest are kept in
   * mind. `heed` hears of each, for whoever keeps what came of the call elsewhere.
   */
  addArguments(values: readonly string[]): void {
    const fresh = values.filter(
      (value) => !this.#secrets.includes(value) && !this.#arguments.includes(value),
    );
    if (fresh.length === 0) return;
    this.#arguments = [...this.#arguments, ...fresh].slice(-mostArguments);
    this.#hide = undefined;
    for (const heed of this.#heeding) heed(fresh);
  }

  heedArguments(heed: (values: readonly string[]) => void): void {
    this.#heeding.add(heed);
    if (this.#arguments.length > 0) heed(this.#arguments);
  }

  /** The same values taken out of what the server said elsewhere; nothing besides them is touched. */
  hide<T>(value: T): T {
    return this.#hiding()(value);
  }

  #hiding(): Hide {
    this.#hide ??= hiding([...this.#secrets, ...this.#arguments]);
    return this.#hide;
  }

  /** `text` is what went over the wire; a message too long to keep is kept by the beginning of its text. */
  message(
    direction: "send" | "receive",
    message: unknown,
    text: string,
    facts: Pick<MessageEntry, "malformed" | "httpStatus" | "eventId"> = {},
  ): void {
    const bytes = text.length;
    const fits = bytes <= this.#limits.textBytes;
    const entry: MessageEntry = {
      kind: "message",
      at: this.#now(),
      direction,
      message: fits ? message : excerptOf(text, 1_000),
      bytes,
      ...(!fits && { truncated: true }),
      ...facts,
    };
    this.#add(entry, Math.min(bytes, this.#limits.textBytes));
  }

  event(url: string, event: { event: string; id?: string; retry?: number; data: string }): void {
    const { data, ...facts } = event;
    this.#add({ kind: "event", at: this.#now(), url, ...facts, bytes: data.length }, 100);
  }

  stderr(text: string): void {
    this.#add({ kind: "stderr", at: this.#now(), text }, text.length);
  }

  note(note: string, details?: Record<string, unknown>): void {
    this.#add({ kind: "note", at: this.#now(), note, ...(details && { details }) }, 200);
  }

  begin(request: Parameters<HttpObserver["begin"]>[0]): ReturnType<HttpObserver["begin"]> {
    const entry: HttpEntry = {
      kind: "http",
      at: this.#now(),
      method: request.method,
      url: request.url,
      requestHeaders: request.headers,
      responseBytes: 0,
    };
    if (request.body !== undefined) entry.requestBody = this.#clip(Buffer.from(request.body));
    const slot = this.#add(entry, (entry.requestBody?.length ?? 0) + 500);
    const chunks: Uint8Array[] = [];
    let ended = false;
    return {
      head: (status, statusText, headers) => {
        entry.status = status;
        entry.statusText = statusText;
        entry.responseHeaders = headers;
        entry.headMs = this.#now() - entry.at;
      },
      chunk: (bytes) => {
        if (entry.responseBytes < this.#limits.textBytes) {
          chunks.push(bytes);
          slot.bytes += bytes.length;
          this.#bytes += bytes.length;
        }
        entry.responseBytes += bytes.length;
        this.#largestBody = Math.max(this.#largestBody, entry.responseBytes);
      },
      end: (error) => {
        if (ended) return;
        ended = true;
        entry.endMs = this.#now() - entry.at;
        if (chunks.length > 0) entry.responseBody = this.#clip(Buffer.concat(chunks));
        if (entry.responseBytes > this.#limits.textBytes) entry.truncated = true;
        if (error instanceof Error) {
          entry.error = { code: "code" in error ? String(error.code) : error.name, message: error.message };
        }
        this.#trim();
        this.#tell(entry);
      },
    };
  }

  /** Everything kept so far, or since a moment, free of secrets. */
  read(since = 0): Recording {
    return {
      startedAt: this.#startedAt,
      label: this.#clean(this.#label),
      // Chosen first: cleaning is what costs.
      entries: this.#entries.flatMap(({ entry }) => (entry.at >= since ? [this.#clean(entry)] : [])),
      dropped: this.#dropped,
    };
  }

  /** Holds the messages since a moment, to be read later: whatever others say on the connection until then pushes none of them out. */
  hold(since: number): HeldMessages {
    const hide = this.#hiding();
    const held = this.#entries.flatMap(({ entry }) =>
      entry.kind === "message" && entry.at >= since ? [entry] : [],
    );
    return { hide, read: () => held.map((entry) => redact(hide(entry)) as MessageEntry) };
  }

  #clean<T extends RecordingEntry | string>(entry: T): T {
    const body = typeof entry === "object" && entry.kind === "http" ? entry.requestBody : undefined;
    const named = body === undefined ? entry : { ...(entry as HttpEntry), requestBody: redactBody(body) };
    // The shape stays: only texts inside it are replaced.
    return redact(this.hide(named)) as T;
  }

  #add(entry: RecordingEntry, bytes: number): { entry: RecordingEntry; bytes: number } {
    const slot = { entry, bytes };
    this.#entries.push(slot);
    this.#bytes += bytes;
    this.#trim();
    // An exchange is told of when it is over and can be shown whole.
    if (entry.kind !== "http") this.#tell(entry);
    return slot;
  }

  #tell(entry: RecordingEntry): void {
    this.#onEntry?.(this.#clean(entry));
  }

  /** Lets the oldest go after the beginning, a tenth at a time, so that a long recording does not shift on every entry. */
  #trim(): void {
    const { entries, bytes } = this.#limits;
    if (this.#entries.length <= entries && this.#bytes <= bytes) return;
    const kept = Math.min(keptFromStart, Math.floor(entries / 2));
    while (
      this.#entries.length > kept &&
      (this.#entries.length > entries * 0.9 || this.#bytes > bytes * 0.9)
    ) {
      const removed = this.#entries.splice(kept, Math.max(1, Math.floor(entries / 10)));
      for (const slot of removed) this.#bytes -= slot.bytes;
      this.#dropped += removed.length;
    }
  }

  #clip(bytes: Buffer): string {
    return bytes.subarray(0, this.#limits.textBytes).toString("utf8");
  }
}
