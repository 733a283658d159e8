/** @module Every tool that a saved server offers its caller, page after page. */

import { limits, type ProjectId, type ServerId } from "@fettle/contract/core";
import type { Tool } from "@fettle/mcp";
import { notFound } from "../../core/routing/not-found.ts";
import { WrittenJson } from "../../core/routing/written-json.ts";
import { type AskingCall, ask } from "./ask.ts";
import { findSavedServer } from "./store.ts";

export async function listAllTools(
  asking: Pick<AskingCall, "app" | "caller" | "request">,
  projectId: ProjectId,
  id: ServerId,
): Promise<Tool[]> {
  const { app, caller, request } = asking;
  const saved = await findSavedServer(app.db, { projectId, id, userId: caller.userId });
  if (!saved) throw notFound("server");
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < limits.compat.toolListPages; page += 1) {
    const answer = await ask({ app, caller, request }, saved, "listTools", { cursor });
    // Asked apart, it comes as the bytes of the same JSON.
    const { items, nextCursor } = (
      answer instanceof WrittenJson ? JSON.parse((await answer.whole()).toString()) : answer
    ) as { items: Tool[]; nextCursor?: string };
    tools.push(...items);
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return tools;
}
