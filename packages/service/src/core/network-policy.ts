/** @module Which addresses this service speaks to. */
import type { NetworkPolicy } from "@fettle/mcp";
import type { App } from "./app.ts";

/** Which addresses a URL of a person or a server may lead to. */
export function networkPolicy({ config }: Pick<App, "config">): NetworkPolicy {
  return { mode: config.mode, exceptions: config.networkExceptions };
}
