/** @module What calls of the operations on directory readiness need to be answered. */
import type { ServerId } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import { updateOpenRun } from "../../runs/life/store.ts";
import { findSavedServer } from "../../servers/live/store.ts";
import { readinessRunKind } from "../../servers/readiness/kind.ts";
import { startRun } from "../../servers/readiness/start.ts";
import { inProgressTo, type World } from "../world.ts";

type SaveServer = (world: World, app: App) => Promise<{ serverId: ServerId }>;

export function readinessInputs(savedServer: SaveServer) {
  const begun = async (world: World, app: App) => {
    const { serverId } = await savedServer(world, app);
    const { projectId, organizationId, people } = world;
    const { userId } = people.owner;
    const server = await findSavedServer(app.db, { projectId, id: serverId, userId });
    const wanted = { kind: "claude", includeLlmObservations: false } as const;
    const { runId } = await startRun(app, { userId, organizationId }, server!, wanted);
    return { runId };
  };
  const graded = async (world: World, app: App) => {
    const { runId } = await begun(world, app);
    const report = {
      overallStatus: "incomplete",
      summary: "",
      lanes: [],
      stages: [],
      badges: [],
      findings: [],
    };
    await updateOpenRun(app.db, readinessRunKind, runId, { report: JSON.stringify(report) });
    return { runId };
  };
  return {
    startDirectoryAReadinessRun: { params: savedServer, body: () => ({}) },
    startDirectoryBReadinessRun: { params: savedServer, body: () => ({ submissionMode: "mcp-only" }) },
    listReadinessRuns: {},
    getReadinessRun: { params: begun },
    cancelReadinessRun: { params: begun },
    deleteReadinessRun: { params: begun, passes: inProgressTo },
    getReadinessReport: { params: graded },
  };
}
