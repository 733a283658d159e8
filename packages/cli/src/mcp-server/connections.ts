/** @module The servers an agent has connected to through us: by name, each with what it said of its own accord. */
import { basename } from "node:path";
import {
  type Connection,
  connect,
  type HttpTarget,
  type HttpTargetInput,
  type JsonObject,
  McpError,
  parseTarget,
  type StdioTargetInput,
  type Target,
  targetLabel,
} from "@fettle/mcp";
import { version } from "../version.ts";

export interface Notice {
  server: string;
  method: string;
  params: JsonObject;
  /** ISO 8601. */
  receivedAt: string;
}

export interface Connected {
  name: string;
  target: Target;
  connection: Connection;
}

/** Older notices give way. */
const keptNotices = 1_000;
const keptMethods = new Set([
  "notifications/message",
  "notifications/progress",
  "notifications/tools/list_changed",
  "notifications/resources/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/updated",
]);

export class Connections {
  readonly #servers = new Map<string, Connected>();
  #notices: Notice[] = [];
  #dropped = 0;

  /** An explicit name that is taken is an error; one made up from the target gets a number. */
  async open(target: Target, options: { name?: string | undefined; timeoutMs: number }): Promise<Connected> {
    const name = options.name ?? this.#freeName(target);
    if (this.#servers.has(name))
      throw new McpError("BAD_OPTION", `A server is already connected as "${name}".`);
    const { timeoutMs } = options;
    const connection = await connect(target, {
      clientInfo: { name: "fettle", version },
      timeouts: { connectMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
      // Attached before connecting, so that nothing said early is lost.
      onNotification: (method, params) =>
        this.#keep({ server: name, method, params, receivedAt: new Date().toISOString() }),
    });
    const connected = { name, target, connection };
    this.#servers.set(name, connected);
    return connected;
  }

  find(name: string): Connected {
    const found = this.#servers.get(name);
    if (found) return found;
    const known = [...this.#servers.keys()].join(", ") || "none";
    throw new McpError("BAD_OPTION", `No server is connected as "${name}". Connected: ${known}.`);
  }

  list(): { server: string; status: string; target: string }[] {
    return [...this.#servers.values()].map(({ name, target, connection }) => ({
      server: name,
      status: connection.closedBecause ? "disconnected" : "connected",
      target: targetLabel(target),
    }));
  }

  async close(name: string): Promise<void> {
    const { connection } = this.find(name);
    this.#servers.delete(name);
    this.#notices = this.#notices.filter(({ server }) => server !== name);
    await connection.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#servers.keys()].map((name) => this.close(name)));
  }

  notices(filter: { server?: string | undefined; method?: string | undefined; clear?: boolean | undefined }) {
    const matches = ({ server, method }: Notice) =>
      (filter.server === undefined || server === filter.server) &&
      (filter.method === undefined || method === filter.method);
    const notifications = this.#notices.filter(matches);
    const droppedOverflow = this.#dropped;
    if (filter.clear) {
      this.#notices = this.#notices.filter((notice) => !matches(notice));
      this.#dropped = 0;
    }
    return { notifications, buffered: this.#notices.length, droppedOverflow };
  }

  #keep(notice: Notice): void {
    if (!keptMethods.has(notice.method)) return;
    this.#notices.push(notice);
    if (this.#notices.length <= keptNotices) return;
    this.#notices.shift();
    this.#dropped++;
  }

  #freeName(target: Target): string {
    const base = target.kind === "http" ? new URL(target.url).hostname : basename(target.command);
    let name = base;
    for (let number = 2; this.#servers.has(name); number++) name = `${base}-${number}`;
    return name;
  }
}

export interface TargetFields {
  url?: string | undefined;
  accessToken?: string | undefined;
  headers?: Record<string, string> | undefined;
  command?: string | undefined;
  args?: string[] | undefined;
  env?: Record<string, string> | undefined;
  cwd?: string | undefined;
}

/** A server over HTTP. */
export function addressFrom({ url, accessToken, headers, args, env, cwd }: TargetFields): HttpTarget {
  if (url === undefined) throw new McpError("BAD_OPTION", "url is required.");
  if (args ?? env ?? cwd) throw new McpError("BAD_OPTION", "args, env and cwd only go with command.");
  const input: HttpTargetInput = {
    url,
    ...(headers && { headers }),
    ...(accessToken !== undefined && { accessToken }),
  };
  // An address makes no other kind.
  return parseTarget(input) as HttpTarget;
}

/** Exactly one kind of target; a command only where the person who started us said that commands may be started. */
export function targetFrom(fields: TargetFields, allowCommands: boolean): Target {
  const { url, accessToken, headers, command, args, env, cwd } = fields;
  if ((url === undefined) === (command === undefined)) {
    throw new McpError("BAD_OPTION", "Give exactly one of url and command.");
  }
  if (url !== undefined) return addressFrom(fields);
  if (headers ?? accessToken) throw new McpError("BAD_OPTION", "headers and accessToken only go with url.");
  if (!allowCommands) {
    throw new McpError("BAD_OPTION", "Starting commands is not allowed here.", {
      hint: "Whoever runs this server may allow it with `fettle mcp --allow-commands`.",
    });
  }
  const input: StdioTargetInput = {
    command: command ?? "",
    ...(args && { args }),
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
  };
  return parseTarget(input);
}
