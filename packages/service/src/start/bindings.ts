/**
 * @module Every built operation and the function that answers it, by the room that binds it. A room is loaded with the first request for
 * one of its operations: a service that is not asked for something neither reads it at its start nor holds it.
 */

import type { OperationId } from "@fettle/contract/operations";
import { roomOfOperation } from "../../generated/operation-rooms.ts";
import type { Bindings } from "../core/routing/bind.ts";

/** A room adds its own here, and `npm run generate` writes down what it binds. */
const rooms = {
  account: async () => (await import("../people/accounts/routes.ts")).accountBindings,
  project: async () => (await import("../people/projects/routes.ts")).projectBindings,
  model: async () => (await import("../models/routes.ts")).modelBindings,
  hostCatalog: async () => (await import("../environments/host-catalog/routes.ts")).hostCatalogBindings,
  server: async () => (await import("../servers/saved/routes.ts")).serverBindings,
  serverGroup: async () => (await import("../servers/groups/routes.ts")).serverGroupBindings,
  client: async () => (await import("../servers/clients/routes.ts")).clientBindings,
  environment: async () => (await import("../environments/saved/routes.ts")).environmentBindings,
  computer: async () => (await import("../sandboxes/computers/routes.ts")).computerBindings,
  sandboxImage: async () => (await import("../sandboxes/images/routes.ts")).sandboxImageBindings,
  skill: async () => (await import("../environments/skills/routes.ts")).skillBindings,
  plugin: async () => (await import("../environments/plugins/routes.ts")).pluginBindings,
  live: async () => (await import("../servers/live/routes.ts")).liveBindings,
  attended: async () => (await import("../servers/live/attended-routes.ts")).attendedBindings,
  widget: async () => (await import("../servers/widgets/routes.ts")).widgetBindings,
  serverHistory: async () => (await import("../servers/history/routes.ts")).serverHistoryBindings,
  notice: async () => (await import("../runs/notices/routes.ts")).noticeBindings,
  conformance: async () => (await import("../servers/conformance/routes.ts")).conformanceBindings,
  readiness: async () => (await import("../servers/readiness/routes.ts")).readinessBindings,
  evalSuite: async () => (await import("../evals/suites/routes.ts")).evalSuiteBindings,
  evalRun: async () => (await import("../evals/runs/routes.ts")).evalRunBindings,
  finding: async () => (await import("../insights/routes.ts")).findingBindings,
  swarm: async () => (await import("../visitors/swarms/routes.ts")).swarmBindings,
  journeyRun: async () => (await import("../visitors/journey-runs/routes.ts")).journeyRunBindings,
  calibration: async () =>
    (await import("../visitors/journey-runs/calibrations/routes.ts")).calibrationBindings,
  chat: async () => (await import("../visitors/chat/routes.ts")).chatBindings,
  agent: async () => (await import("../agent/routes.ts")).agentBindings,
  evalIngest: async () => (await import("../evals/ingest/routes.ts")).evalIngestBindings,
  evalCheck: async () => (await import("../evals/checks/repos.ts")).evalCheckBindings,
  serverConnection: async () => (await import("../servers/connections/routes.ts")).serverConnectionBindings,
  serverSignIn: async () => (await import("../servers/sign-ins/routes.ts")).serverSignInBindings,
  eventStream: async () => (await import("../http/streams/event-stream.ts")).eventStreamBindings,
  tunnel: async () => (await import("../servers/tunnels/routes.ts")).tunnelBindings,
  traceExport: async () => (await import("../evals/trace-exports/routes.ts")).traceExportBindings,
  userTesting: async () => (await import("../visitors/user-testing/routes.ts")).userTestingBindings,
  registry: async () => (await import("../servers/registry/routes.ts")).registryBindings,
};

export type Room = keyof typeof rooms;

type OfEachRoom = Awaited<ReturnType<(typeof rooms)[Room]>>;

/** Of a union, what has everything that any of them has. */
type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The compiler holds what all rooms bind to what the contract declares as built. */
export async function loadBindings(): Promise<Bindings> {
  const bound = await Promise.all(Object.values(rooms).map((load) => load()));
  const all: AllOf<OfEachRoom> = Object.assign({}, ...bound);
  return all;
}

/** Undefined for an operation that is declared, and not built yet. */
export async function bindingOf(id: string): Promise<unknown> {
  const room: Room | undefined = roomOfOperation[id as OperationId];
  const bound: Record<string, unknown> = room === undefined ? {} : await rooms[room]();
  return bound[id];
}

/** As the generated file says it. */
export async function operationRooms(): Promise<string> {
  const bound = await Promise.all(
    Object.entries(rooms).map(async ([room, load]) =>
      Object.keys(await load()).map((id) => `  ${id}: ${JSON.stringify(room)},`),
    ),
  );
  return [
    "// Generated by `npm run generate` from the rooms. Do not edit.",
    'import type { OperationId } from "@fettle/contract/operations";',
    `import type { Room } from ${JSON.stringify("../src/start/bindings.ts")};`,
    "",
    "/** Which room binds an operation, known without loading any. */",
    "export const roomOfOperation: Partial<Record<OperationId, Room>> = {",
    ...bound.flat(),
    "};",
    "",
  ].join("\n");
}
