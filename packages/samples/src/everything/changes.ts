/**
 * What can change while the fixture runs: one tool, one prompt, one resource. Connections that stay open follow along.
 * @module
 */
import type { McpServer } from "@modelcontextprotocol/server";
import { NO_INPUT, text } from "./asking-tools.ts";
import { WATCHED_RESOURCE } from "./reading.ts";
import type { Era } from "./task-wire.ts";

export type Change = "tools" | "prompts" | "watched-resource";

export type World = ReturnType<typeof createWorld>;

/** The state every connection to one fixture shares. */
export function createWorld() {
  const followers = new Set<(change: Change) => void>();
  const world = { extraTool: false, extraPrompt: false, watchedVersion: 1 };
  return {
    now: world as Readonly<typeof world>,
    change(what: Change) {
      if (what === "tools") world.extraTool = !world.extraTool;
      if (what === "prompts") world.extraPrompt = !world.extraPrompt;
      if (what === "watched-resource") world.watchedVersion += 1;
      for (const follower of followers) follower(what);
    },
    follow(follower: (change: Change) => void): () => void {
      followers.add(follower);
      return () => followers.delete(follower);
    },
  };
}

/** Registers what may change, and returns how a living connection takes a change over and tells its client. */
export function addChanges(server: McpServer, world: World, era: Era): (change: Change) => void {
  const triggers: Record<string, { description: string; change: Change }> = {
    test_trigger_tool_change: { description: "Adds or removes test_extra_tool.", change: "tools" },
    test_trigger_prompt_change: { description: "Adds or removes test_extra_prompt.", change: "prompts" },
    test_trigger_resource_change: { description: `Changes ${WATCHED_RESOURCE}.`, change: "watched-resource" },
  };
  for (const [name, { description, change }] of Object.entries(triggers)) {
    server.registerTool(name, { description, inputSchema: NO_INPUT }, () => {
      world.change(change);
      return text(`Changed: ${change}.`);
    });
  }

  const extraTool = server.registerTool(
    "test_extra_tool",
    { description: "Comes and goes with test_trigger_tool_change.", inputSchema: NO_INPUT },
    () => text("Here for now."),
  );
  const extraPrompt = server.registerPrompt(
    "test_extra_prompt",
    { description: "Comes and goes with test_trigger_prompt_change." },
    () => ({ messages: [{ role: "user", content: { type: "text", text: "Here for now." } }] }),
  );
  if (!world.now.extraTool) extraTool.disable();
  if (!world.now.extraPrompt) extraPrompt.disable();

  const subscribed = new Set<string>();
  server.server.setRequestHandler("resources/subscribe", ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });

  return (change) => {
    if (change === "tools") extraTool.update({ enabled: world.now.extraTool });
    if (change === "prompts") extraPrompt.update({ enabled: world.now.extraPrompt });
    // In the stateless era the SDK itself keeps the subscriptions and drops what nobody asked for.
    if (change === "watched-resource" && (era === "modern" || subscribed.has(WATCHED_RESOURCE))) {
      void server.server.sendResourceUpdated({ uri: WATCHED_RESOURCE });
    }
  };
}
