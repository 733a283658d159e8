/** @module What a server offered while it was observed: pinned, so that a finding cannot re-point at a definition that changed since. */

export interface SnapshotTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown> | undefined;
  annotations?: Record<string, unknown> | undefined;
}

/** A scope may hold several of one server, where it changed meanwhile. */
export interface ServerSnapshot {
  serverId: string;
  serverName: string;
  /** Of the whole list, without a prefix; findings show it as `sha256:<hash>`. */
  hash: string;
  takenAt: number;
  tools: readonly SnapshotTool[];
}
