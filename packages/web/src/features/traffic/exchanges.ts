/** @module The wire as rows: a request with its answer in one, the HTTP below it, what the server says of its own accord, and how each ended. */
import { loadedAnew, type TrafficEntry, type WireHttp, type WireMessage } from "../../api/traffic.ts";
import { isJsonObject, type Json, type JsonObject, tryParse } from "../../lib/json-exact.ts";
import { rowFilter } from "./row-filter.ts";

export type RowKind = "request" | "notification" | "http" | "note" | "stderr" | "other";
export type RowState = "pending" | "ok" | "error" | "cancelled" | "late" | "plain";

export interface ExchangeRow {
  /** Of its first entry; stays while the row fills in. */
  key: number;
  at: number;
  kind: RowKind;
  /** Who began it. */
  direction: "send" | "receive";
  /** The other side, where it is not the server. */
  peer?: "widget";
  method: string;
  /** The tool, prompt or resource it is about, or the words of a log message. */
  subject?: string;
  /** Of a log message. */
  level?: string;
  state: RowState;
  tookMs?: number;
  request?: Json;
  answer?: Json;
  http: WireHttp[];
  /** What besides is told of it. */
  text?: string;
}

type Place = { rows: ExchangeRow[]; open: Map<string, ExchangeRow>; told: Map<string, ExchangeRow[]> };

export function exchangeRows(entries: readonly TrafficEntry[]): ExchangeRow[] {
  const place: Place = { rows: [], open: new Map(), told: new Map() };
  for (const entry of entries) {
    if (entry.kind === "message") addMessage(place, entry);
    else if (entry.kind === "http") addHttp(place, entry);
    else {
      const isNote = entry.kind === "note";
      if (isNote && entry.note === loadedAnew) giveUp(place);
      place.rows.push({
        ...blank(entry),
        kind: entry.kind,
        method: isNote ? entry.note : "stderr",
        ...(isNote
          ? entry.details && { subject: Object.values(entry.details).join(" · ") }
          : { subject: entry.text, text: entry.text }),
      });
    }
  }
  return place.rows;
}

/** Nobody here hears the answers any more: they are neither pending nor wrong. */
function giveUp({ rows }: Place): void {
  for (const row of rows) if (row.state === "pending") row.state = "plain";
}

const blank = ({ sequence, at }: TrafficEntry) =>
  ({ key: sequence, at, direction: "receive", state: "plain", http: [] }) satisfies Partial<ExchangeRow>;

const keyOf = (connection: string, direction: string, id: Json) =>
  `${connection} ${direction} ${JSON.stringify(id)}`;
const otherWay = (direction: "send" | "receive") => (direction === "send" ? "receive" : "send");

function addMessage(place: Place, entry: TrafficEntry & WireMessage): void {
  const { connection, direction, message = null } = entry;
  const body: JsonObject = isJsonObject(message) ? message : {};
  const id = body.id ?? undefined;
  if (typeof body.method === "string") {
    const row: ExchangeRow = {
      ...blank(entry),
      kind: id === undefined ? "notification" : "request",
      direction,
      ...(entry.peer && { peer: entry.peer }),
      method: body.method,
      state: id === undefined ? "plain" : "pending",
      request: message,
      ...about(body.method, body.params),
    };
    place.rows.push(row);
    if (id !== undefined) place.open.set(keyOf(connection, direction, id), row);
    else if (direction === "send") {
      const name = `${connection} ${body.method}`;
      place.told.set(name, [...(place.told.get(name) ?? []), row]);
    }
    if (body.method === "notifications/cancelled") cancel(place, connection, direction, body.params);
    return;
  }
  const asked = id === undefined ? undefined : place.open.get(keyOf(connection, otherWay(direction), id));
  if (!asked || asked.answer !== undefined) {
    place.rows.push({
      ...blank(entry),
      kind: "other",
      direction,
      method: entry.malformed ?? "answer to nothing that was asked",
      state: "error",
      request: message,
    });
    return;
  }
  asked.answer = message;
  asked.tookMs = entry.at - asked.at;
  asked.state =
    asked.state === "cancelled" ? "late" : body.error !== undefined || isToolError(body) ? "error" : "ok";
}

/** Whoever began a request may take it back. */
function cancel(
  place: Place,
  connection: string,
  direction: "send" | "receive",
  params: Json | undefined,
): void {
  const id = isJsonObject(params) ? params.requestId : undefined;
  const row = id === undefined ? undefined : place.open.get(keyOf(connection, direction, id));
  if (row?.state === "pending") row.state = "cancelled";
}

function isToolError({ result }: JsonObject): boolean {
  return isJsonObject(result) && result.isError === true;
}

/** An exchange belongs to the message it carried; one that carried none stands alone. */
function addHttp(place: Place, entry: TrafficEntry & WireHttp): void {
  const row = rowOf(place, entry);
  if (row) {
    row.http.push(entry);
    const isOver = row.state === "pending" && (entry.error || (entry.status ?? 0) >= 400);
    if (isOver) row.state = entry.error?.code === "ABORTED" ? "cancelled" : "error";
    if (isOver && entry.endMs !== undefined) row.tookMs = entry.endMs;
    return;
  }
  place.rows.push({
    ...blank(entry),
    kind: "http",
    direction: "send",
    method: `${entry.method} ${pathOf(entry.url)}`,
    subject: String(entry.status ?? entry.error?.code ?? ""),
    state: entry.error || (entry.status ?? 0) >= 400 ? "error" : "ok",
    http: [entry],
    ...(entry.endMs !== undefined && { tookMs: entry.endMs }),
  });
}

function rowOf(place: Place, { connection, requestBody }: TrafficEntry & WireHttp): ExchangeRow | undefined {
  if (requestBody === undefined) return undefined;
  const read = tryParse(requestBody);
  const body = read.ok && isJsonObject(read.value) ? read.value : {};
  const isOurs = typeof body.method === "string";
  if (body.id !== undefined) return place.open.get(keyOf(connection, isOurs ? "send" : "receive", body.id));
  return isOurs ? place.told.get(`${connection} ${String(body.method)}`)?.shift() : undefined;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

function about(method: string, params: Json | undefined): Pick<ExchangeRow, "subject" | "level"> {
  if (!isJsonObject(params)) return {};
  if (method === "notifications/message") {
    const { data, level } = params;
    const words = typeof data === "string" ? data : JSON.stringify(data ?? "");
    return { subject: words, ...(typeof level === "string" && { level }) };
  }
  const said = [params.name, params.uri, params.message].find((each) => typeof each === "string");
  return typeof said === "string" ? { subject: said } : {};
}

export type Shown = "all" | "calls" | "server" | "widgets" | "logs" | "failed";

export function filterRows(rows: readonly ExchangeRow[], text: string, shown: Shown): ExchangeRow[] {
  const isWanted = rowFilter(text);
  return rows.filter((row) => isShown(row, shown) && isWanted(row));
}

function isShown({ kind, direction, peer, level, state }: ExchangeRow, shown: Shown): boolean {
  switch (shown) {
    case "all":
      return true;
    case "calls":
      return !peer && kind === "request" && direction === "send";
    case "server":
      return !peer && direction === "receive" && (kind === "request" || kind === "notification");
    case "widgets":
      return peer === "widget";
    case "logs":
      return !peer && (level !== undefined || kind === "stderr");
    case "failed":
      return state === "error" || state === "cancelled" || state === "late";
  }
}
