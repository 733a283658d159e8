/**
 * The whole fixture contract of the official conformance suite in one server, both eras, over stdio and HTTP.
 * @module
 */
import { createMcpHandler, isLegacyRequest, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { serveAtMcp } from "../mcp-endpoint.ts";
import type { ListenOptions, RunningSample } from "../serve-http.ts";
import { addAskingTools } from "./asking-tools.ts";
import { addChanges, type Change, createWorld, type World } from "./changes.ts";
import { addContentTools } from "./content-tools.ts";
import { addProgressTools } from "./progress-tools.ts";
import { addPrompts, addReading, WATCHED_RESOURCE } from "./reading.ts";
import { createRequestState, type RequestState } from "./request-state.ts";
import { createSessions } from "./sessions.ts";
import { createTaskStore, type TaskOptions, type TaskStore } from "./task-store.ts";
import { listenForTasks } from "./task-subscriptions.ts";
import { addTaskTools } from "./task-tools.ts";
import { type Era, speakTasks, TASKS_EXTENSION } from "./task-wire.ts";

interface Shared {
  world: World;
  tasks: TaskStore;
  state: RequestState;
}

const BRIEFLY = { ttlMs: 5_000, cacheScope: "public" } as const;

function createEverythingServer(era: Era, { world, tasks, state }: Shared) {
  const server = new McpServer(
    { name: "everything", title: "Everything", version: "1.0.0" },
    {
      instructions: "A fixture for conformance tests: every feature of the protocol, once.",
      capabilities: {
        logging: {},
        completions: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        // Each era has its own way to say it; the SDK leaves `tasks` out of what the stateless era sees.
        tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
        ...(era === "modern" && { extensions: { [TASKS_EXTENSION]: {} } }),
      },
      requestState: { verify: state.verify },
      cacheHints: {
        "server/discover": BRIEFLY,
        "tools/list": BRIEFLY,
        "prompts/list": BRIEFLY,
        "resources/list": BRIEFLY,
        "resources/templates/list": BRIEFLY,
        "resources/read": BRIEFLY,
      },
    },
  );
  addContentTools(server);
  addProgressTools(server);
  addAskingTools(server, state);
  addTaskTools(server, tasks, era);
  addReading(server, () => world.now.watchedVersion);
  addPrompts(server);
  speakTasks(server, tasks, era);
  return { server, takeOver: addChanges(server, world, era) };
}

export interface EverythingOptions extends ListenOptions, TaskOptions {}

function createShared(options: TaskOptions = {}): Shared {
  return { world: createWorld(), tasks: createTaskStore(options), state: createRequestState() };
}

/** A server for a connection that stays open: it follows the changes until it is closed. */
function createFollowingServer(era: Era, shared: Shared): McpServer {
  const { server, takeOver } = createEverythingServer(era, shared);
  const stop = shared.world.follow(takeOver);
  server.server.onclose = stop;
  return server;
}

export function runEverything(options?: EverythingOptions): Promise<RunningSample> {
  const shared = createShared(options);
  const modern = createMcpHandler(() => createEverythingServer("modern", shared).server, {
    legacy: "reject",
  });
  const legacy = createSessions(() => createFollowingServer("legacy", shared));
  shared.world.follow((change: Change) => {
    if (change === "tools") modern.notify.toolsChanged();
    if (change === "prompts") modern.notify.promptsChanged();
    if (change === "watched-resource") modern.notify.resourceUpdated(WATCHED_RESOURCE);
  });
  const serveModern = listenForTasks(shared.tasks, (request) => modern.fetch(request));
  return serveAtMcp(
    {
      fetch: async (request) =>
        (await isLegacyRequest(request)) ? legacy.fetch(request) : serveModern(request),
      async close() {
        shared.tasks.cancelAll();
        await Promise.all([modern.close(), legacy.close()]);
      },
    },
    options,
  );
}

export function serveEverythingOverStdio(): void {
  const shared = createShared();
  serveStdio(({ era }) => createFollowingServer(era, shared));
}
