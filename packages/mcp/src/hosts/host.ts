/** @module Connecting as a known host would: its name, capabilities and protocol versions, and the tools it would not see. */
import type { HostCatalog } from "@fettle/contract/environments";
import { McpError } from "../failure.ts";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";

/** One host of the catalogue: what it sends as a client. The catalogue holds more, for compatibility reports. */
export interface HostProfile {
  id: string;
  label: string;
  clientInfo: { name: string; version: string };
  protocol: {
    /** Null: whatever Fettle itself would choose. */
    advertisedVersions: string[] | null;
    handshakeVersions: string[] | null;
    versionPolicy: string;
  };
  clientCapabilities: JsonObject;
  respectsToolVisibility: boolean;
  provenance: HostCatalog["catalog"][number]["provenance"];
  verifiedAt: string;
  [fact: string]: unknown;
}

/** The whole catalogue, loaded when asked for: it is data of some size that most commands do not need. */
export async function loadHosts(): Promise<HostProfile[]> {
  const { default: catalog } = await import("./catalog.json", { with: { type: "json" } });
  // A word is any text to the reader of a JSON file; the test of `getHostCompatCatalog` holds it to the contract.
  return catalog as HostProfile[];
}

/** One host by id; BAD_OPTION names the ids there are. */
export async function loadHost(id: string): Promise<HostProfile> {
  const hosts = await loadHosts();
  const host = hosts.find((candidate) => candidate.id === id);
  if (host) return host;
  throw new McpError("BAD_OPTION", `No host is called "${id}".`, {
    hint: `Known hosts: ${hosts.map((known) => known.id).join(", ")}.`,
    details: { unknown: id, known: hosts.map((known) => known.id) },
  });
}

/** An app-only tool is for its widget, not for the model: `_meta.ui.visibility` holds exactly "app". */
export function isAppOnlyTool(tool: JsonObject): boolean {
  const meta = isObject(tool._meta) ? tool._meta : {};
  const ui = isObject(meta.ui) ? meta.ui : {};
  const { visibility } = ui;
  return Array.isArray(visibility) && visibility.length === 1 && visibility[0] === "app";
}

export interface VisibleTools<T> {
  tools: T[];
  /** How many the host would not show to its model. */
  toolsDroppedVisibility: number;
}

/** The tools a host shows to its model. */
export function visibleTools<T extends JsonObject>(host: HostProfile, tools: readonly T[]): VisibleTools<T> {
  const kept = host.respectsToolVisibility ? tools.filter((tool) => !isAppOnlyTool(tool)) : [...tools];
  return { tools: kept, toolsDroppedVisibility: tools.length - kept.length };
}
