/** @module The servers of one agent: connected as a chosen client, their tools listed. All of them, or none and a reason. */
import {
  type Connection,
  type ConnectOptions,
  classifyFailure,
  connect,
  type FailureCause,
  hiding,
  secretsOf,
  type Target,
  type Tool,
} from "@fettle/mcp";
import { sentences } from "../told.ts";
import { lastOutputLines } from "./last-output.ts";

/** As much of a connection as an agent needs; what plays a recording has no more. */
export type ToolConnection = Pick<
  Connection,
  "transport" | "protocolVersion" | "serverInfo" | "callTool" | "ping" | "closedBecause"
> &
  Partial<Pick<Connection, "withhold">> & { readonly recorder: Pick<Connection["recorder"], "hide"> };

/** A server under the name that the suite calls it by. */
export interface AgentServer {
  name: string;
  connection: ToolConnection;
  tools: readonly Tool[];
  /** The list was cut short, so that not everything the server has is offered. */
  truncated?: boolean;
}

export interface ServerLink extends AgentServer {
  connection: Connection;
}

export interface ServerBinding {
  name: string;
  target: Target;
  /** Headers, sign-in, host profile: how the chosen client connects. */
  options?: ConnectOptions;
}

export interface OpenServers extends AsyncDisposable {
  links: ServerLink[];
  close(): Promise<void>;
}

/** A server that could not be set up: nothing was tested, so nothing failed. */
export class SetupFailure extends Error {
  readonly server: string;
  readonly reason: FailureCause;

  /** `hide` takes out of its last words what the server was given. */
  constructor(server: string, error: unknown, hide: (text: string) => string = (text) => text) {
    const reason = classifyFailure(error);
    super(sentences(`${server}: ${reason.summary}`, lastOutputLines(reason, hide)), { cause: error });
    this.name = "SetupFailure";
    this.server = server;
    this.reason = reason;
  }
}

/**
 * Connects to every server and lists its tools; nothing is left open when one fails.
 *
 * @example
 * await using servers = await openServers([{ name: "shop", target: parseTarget({ url }) }]);
 * const agent = createAgent({ model, servers: servers.links });
 */
export async function openServers(
  bindings: readonly ServerBinding[],
  signal?: AbortSignal,
): Promise<OpenServers> {
  const opened: Connection[] = [];
  const close = async () => {
    await Promise.all(opened.map((connection) => connection.close()));
  };
  const tries = await Promise.allSettled(
    bindings.map(async ({ name, target, options }): Promise<ServerLink> => {
      try {
        const connection = await connect(target, { ...options, ...(signal && { signal }) });
        opened.push(connection);
        const offersTools = connection.capabilities.tools !== undefined;
        if (!offersTools) return { name, connection, tools: [] };
        const { items, truncated } = await connection.listTools({ signal });
        return { name, connection, tools: items, ...(truncated && { truncated }) };
      } catch (error) {
        throw new SetupFailure(name, error, hiding(secretsOf(target)));
      }
    }),
  );
  const failed = tries.find((outcome) => outcome.status === "rejected");
  if (failed) {
    await close();
    throw failed.reason;
  }
  const links = tries.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  return { links, close, [Symbol.asyncDispose]: close };
}
