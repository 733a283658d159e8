/**
 * MCP servers to test with. Importing this loads no MCP SDK; each sample loads what it needs when it starts.
 * @module
 */
import { fileURLToPath } from "node:url";
import type { BookshopHandler, RunningBookshop } from "./bookshop/server.ts";
import type { EnterpriseBookshop, EnterpriseBookshopOptions } from "./enterprise-bookshop/server.ts";
import type { EverythingOptions } from "./everything/server.ts";
import { selfSigned } from "./hostile/certificate.ts";
import type { HostileServer } from "./hostile/hostile-server.ts";
import { findHostile, HOSTILE_SERVERS } from "./hostile/registry.ts";
import { BROKEN_SHOPS } from "./oauth-bookshop/broken.ts";
import type { ClientDocument } from "./oauth-bookshop/client-document.ts";
import type { ProtectedBookshop, ProtectedBookshopOptions } from "./oauth-bookshop/server.ts";
import type { ListenOptions, RunningSample } from "./serve-http.ts";

export type {
  BookshopHandler,
  ClientDocument,
  EnterpriseBookshop,
  EnterpriseBookshopOptions,
  HostileServer,
  ListenOptions,
  ProtectedBookshop,
  ProtectedBookshopOptions,
  RunningBookshop,
  RunningSample,
};
export { BROKEN_SHOPS, HOSTILE_SERVERS, selfSigned };

export interface StdioCommand {
  command: string;
  args: string[];
}

/** The demo bookshop on a port of its own, both protocol eras at `url`. */
export async function startBookshop(options?: ListenOptions): Promise<RunningBookshop> {
  const { runBookshop } = await import("./bookshop/server.ts");
  return runBookshop(options);
}

/** The demo bookshop as a `node:http` listener, to mount in a server on loopback that you already run. */
export async function bookshopHandler(): Promise<BookshopHandler> {
  const { createBookshopHandler } = await import("./bookshop/server.ts");
  return createBookshopHandler();
}

/** The whole fixture contract of the official conformance suite, both protocol eras at `url`. */
export async function startEverything(options?: EverythingOptions): Promise<RunningSample> {
  const { runEverything } = await import("./everything/server.ts");
  return runEverything(options);
}

/** The bookshop behind OAuth, with its own authorization server. For tests: it needs development dependencies. */
export async function startProtectedBookshop(options?: ProtectedBookshopOptions): Promise<ProtectedBookshop> {
  // An address that no bundler follows: the authorization server must not end up in what people install.
  const module = new URL("./oauth-bookshop/server.ts", import.meta.url).href;
  const { runProtectedBookshop } = (await import(module)) as typeof import("./oauth-bookshop/server.ts");
  return runProtectedBookshop(options);
}

/** The bookshop for staff of companies it trusts: tokens for grants of their issuers. For tests, as the one above. */
export async function startEnterpriseBookshop(
  options: EnterpriseBookshopOptions,
): Promise<EnterpriseBookshop> {
  const module = new URL("./enterprise-bookshop/server.ts", import.meta.url).href;
  const { runEnterpriseBookshop } = (await import(
    module
  )) as typeof import("./enterprise-bookshop/server.ts");
  return runEnterpriseBookshop(options);
}

/** A client's metadata document on https, which makes its address a client id. The certificate is its own authority. */
export async function startClientDocument(redirectUris: string[]): Promise<ClientDocument> {
  const { runClientDocument } = await import("./oauth-bookshop/client-document.ts");
  return runClientDocument(redirectUris);
}

/** A server that speaks only the old HTTP+SSE transport of 2024-11-05. */
export async function startLegacySse(options?: ListenOptions): Promise<RunningSample> {
  const { runLegacySse } = await import("./one-era/legacy-sse.ts");
  return runLegacySse(options);
}

/** A server that speaks only the stateless 2026-07-28. */
export async function startStateless(options?: ListenOptions): Promise<RunningSample> {
  const { runStateless } = await import("./one-era/stateless.ts");
  return runStateless(options);
}

/** A café whose widget speaks both dialects. */
export async function startCafe(options?: ListenOptions): Promise<RunningSample> {
  const { runCafe } = await import("./cafe/server.ts");
  return runCafe(options);
}

/** A server of the hostile corpus over HTTP, by name. */
export async function startHostile(name: string, options?: ListenOptions): Promise<RunningSample> {
  const { runHostile } = await import("./hostile/over-http.ts");
  return runHostile(findHostile(name, "http"), options);
}

/** How to start a sample over stdio. */
export function sampleCommand(name: "bookshop" | "cafe" | "everything" | "stateless"): StdioCommand {
  if (name === "stateless") return command("./one-era/main.ts", "stateless", "--stdio");
  return command(`./${name}/main.ts`, "--stdio");
}

/** How to start a server of the hostile corpus over stdio, by name. */
export function hostileCommand(name: string): StdioCommand {
  return command("./hostile/main.ts", findHostile(name, "stdio").name);
}

function command(main: string, ...args: string[]): StdioCommand {
  return { command: process.execPath, args: [fileURLToPath(new URL(main, import.meta.url)), ...args] };
}
