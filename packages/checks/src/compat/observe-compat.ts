/** @module Looking at a server for a compatibility report: its tools, the source of its widgets, and the versions it accepts. Nothing is called. */
import { isIP } from "node:net";
import {
  asMcpError,
  type Connection,
  isObject,
  type JsonObject,
  type McpError,
  type Target,
  type Tool,
  type WireKind,
  zoneOfAddress,
} from "@fettle/mcp";
import { metaOf, toolUiOf, widgetSource } from "../apps/tool-ui.ts";
import { askAgain } from "../verdict/ask-again.ts";

/** `countered`: it shakes hands, but with another version than asked. `unknown`: nobody can say, because the attempt itself broke. */
export interface VersionReading {
  version: string;
  is: "accepted" | "countered" | "refused" | "unknown";
  /** What it answered instead. */
  answered?: string;
  why?: string;
}

export type WidgetReading =
  | { uri: string; source: string; meta: JsonObject }
  | { uri: string; fault: string };

export interface CompatObservations {
  transport: WireKind;
  /** From where it can be reached; undefined for a process. */
  address?: AddressReach;
  serverName: string | null;
  /** Agreed on by the connection that looked. */
  protocolVersion: string;
  versions: VersionReading[];
  tools: { items: Tool[]; truncated: boolean } | { fault: string };
  widgets: WidgetReading[];
  /** Methods the server asked of a client that had declared none of them. */
  askedUndeclared: string[];
}

/** `private`: only from the same machine or network. `plain`: public, without TLS. */
export type AddressReach = "public" | "plain" | "private";

/** What a name resolves to elsewhere is not ours to know, so only names that are private by themselves count as such. */
export function addressReach(target: Target): AddressReach | undefined {
  if (target.kind === "stdio") return undefined;
  const { hostname, protocol } = new URL(target.url);
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isName = isIP(host) === 0;
  const isPrivate = isName
    ? !host.includes(".") || /(^|\.)(localhost|local|internal|lan|home\.arpa)$/.test(host)
    : zoneOfAddress(host) !== "public";
  if (isPrivate) return "private";
  return protocol === "https:" ? "public" : "plain";
}

export interface CompatLook {
  target: Target;
  /** Versions to try besides the one agreed on; none when the person pinned one. */
  versions: readonly string[];
  /** Opens one more connection, held to one version. */
  connectAt(version: string): Promise<Connection>;
  signal?: AbortSignal;
}

export async function observeCompat(connection: Connection, look: CompatLook): Promise<CompatObservations> {
  const { protocolVersion } = connection;
  const address = addressReach(look.target);
  const others = look.versions.filter((version) => version !== protocolVersion);
  const [{ tools, widgets }, readings] = await Promise.all([
    readTools(connection, look.signal),
    Promise.all(others.map((version) => tryVersion(version, look))),
  ]);
  return {
    transport: connection.transport,
    ...(address && { address }),
    serverName: nameOf(connection),
    protocolVersion,
    versions: [{ version: protocolVersion, is: "accepted" }, ...readings],
    tools,
    widgets,
    askedUndeclared: [
      ...new Set(
        connection.refusals.filter(({ reason }) => reason === "not-declared").map(({ method }) => method),
      ),
    ],
  };
}

function nameOf({ serverInfo }: Connection): string | null {
  return typeof serverInfo?.name === "string" ? serverInfo.name : null;
}

async function readTools(
  connection: Connection,
  signal: AbortSignal | undefined,
): Promise<Pick<CompatObservations, "tools" | "widgets">> {
  if (!isObject(connection.capabilities.tools))
    return { tools: { items: [], truncated: false }, widgets: [] };
  try {
    const { items, truncated } = await askAgain(() => connection.listTools({ signal }));
    const uris = new Set(items.flatMap((tool) => Object.values(toolUiOf(tool)?.uris ?? {})));
    const widgets = await Promise.all([...uris].map((uri) => readWidget(connection, uri, signal)));
    return { tools: { items, truncated }, widgets };
  } catch (error) {
    return { tools: { fault: asMcpError(error).message }, widgets: [] };
  }
}

async function readWidget(
  connection: Connection,
  uri: string,
  signal: AbortSignal | undefined,
): Promise<WidgetReading> {
  try {
    const { contents } = await connection.readResource(uri, { ...(signal && { signal }), inputRounds: 0 });
    const first = Array.isArray(contents) && isObject(contents[0]) ? contents[0] : undefined;
    const source = first && widgetSource(first);
    if (!first || source === undefined) return { uri, fault: "it has no text and no blob" };
    return { uri, source, meta: metaOf(first) };
  } catch (error) {
    return { uri, fault: asMcpError(error).message };
  }
}

async function tryVersion(version: string, { connectAt }: CompatLook): Promise<VersionReading> {
  try {
    const connection = await connectAt(version);
    await connection.close();
    return { version, is: "accepted" };
  } catch (error) {
    return { version, ...refusalOf(asMcpError(error)) };
  }
}

/** Only an answer says no; a lost connection or a time-out says nothing about versions. */
function refusalOf({ code, message, details }: McpError): Omit<VersionReading, "version"> {
  if (typeof details.answered === "string") return { is: "countered", answered: details.answered };
  const status = details.status ?? 0;
  const answered =
    code === "VERSION_MISMATCH" ||
    code === "RPC_ERROR" ||
    (code === "HTTP_STATUS" && status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status));
  return { is: answered ? "refused" : "unknown", why: message };
}
