/** @module Which tools a turn offers: what the mode lets through, and what this turn allows. What is not offered cannot be called. Pure. */
import type { ToolMode } from "@fettle/contract/evals";
import type { ChatTurnRequest } from "@fettle/contract/visitors";
import { decideCall, type ServerLink, toolCatalog } from "@fettle/evals";

export interface Offered {
  links: ServerLink[];
  advertised: number;
  excluded: number;
}

type Narrowing = Pick<ChatTurnRequest, "allowedServerIds" | "allowedTools" | "maxToolCalls">;

export function narrow(
  links: readonly ServerLink[],
  servers: readonly { id: string; name: string }[],
  mode: ToolMode,
  { allowedServerIds, allowedTools, maxToolCalls }: Narrowing,
): Offered {
  const idOf = new Map(servers.map(({ id, name }) => [name, id]));
  const policy = mode === "read_only" ? ({ mode: "readOnly" } as const) : undefined;
  const mayUse = (name: string) =>
    allowedServerIds?.some((one) => one === name || one === idOf.get(name)) ?? true;
  const mayCall = (server: string, tool: string) =>
    allowedTools?.some((one) => one === tool || one === `${server}/${tool}`) ?? true;
  const all = toolCatalog(links.map(({ name, tools }) => ({ server: name, tools })));
  const offered = all.tools.filter(
    (entry) =>
      maxToolCalls !== 0 &&
      mayUse(entry.server) &&
      mayCall(entry.server, entry.name) &&
      decideCall(policy, entry).allowed,
  );
  const kept = new Set(offered.map(({ tool }) => tool));
  return {
    links: links.map((link) => ({ ...link, tools: link.tools.filter((tool) => kept.has(tool)) })),
    advertised: offered.length,
    excluded: all.tools.length - offered.length,
  };
}
