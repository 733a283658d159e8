/**
 * The official SDK client, connected to a sample in a chosen era. For tests only: it is the counterpart that proves the samples.
 * @module
 */
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export type Era = "legacy" | "modern";
export const ERAS: Era[] = ["legacy", "modern"];
export const REVISION = { legacy: "2025-11-25", modern: "2026-07-28" } as const;

function newClient(era: Era, options: ClientOptions = {}): Client {
  return new Client(
    { name: "samples-test", version: "1.0.0" },
    { ...options, versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: REVISION.modern } } },
  );
}

export async function connectHttp(
  url: string,
  era: Era,
  options?: ClientOptions,
  transport?: StreamableHTTPClientTransportOptions,
): Promise<Client> {
  const client = newClient(era, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), transport));
  return client;
}

export async function connectStdio(args: string[], era: Era, options?: ClientOptions): Promise<Client> {
  const client = newClient(era, options);
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  return client;
}
