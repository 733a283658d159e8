/** @module What a test sends to the operations of a server's history. */
import type { EvalSuiteId, ServerId } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import { newId } from "../../core/id.ts";
import { createCall } from "../../servers/history/saved-calls.ts";
import { findServer } from "../../servers/saved/store.ts";
import type { OperationInput } from "../operation-inputs.ts";
import type { World } from "../world.ts";
import { plantHistory } from "./planted-history.ts";

type Saved<Ids> = (world: World, app: App) => Promise<Ids>;

export function serverHistoryInputs(
  savedServer: Saved<{ serverId: ServerId }>,
  savedSuite: Saved<{ serverId: ServerId; suiteId: EvalSuiteId }>,
) {
  const entryOf = async ({ serverId }: { serverId: ServerId }, app: App) => {
    const [entryId] = await plantHistory(app, serverId, 1);
    return { serverId, entryId: entryId! };
  };
  const callOf = async ({ serverId }: { serverId: ServerId }, { projectId, people }: World, app: App) => {
    const server = (await findServer(app.db, projectId, serverId))!;
    const wanted = { name: newId("savedCall"), subject: "search_books" };
    const { id } = await createCall(app, app.db, server, people.owner.userId, wanted);
    return { serverId, callId: id };
  };
  const entry = async (world: World, app: App) => entryOf(await savedServer(world, app), app);
  const call = async (world: World, app: App) => callOf(await savedServer(world, app), world, app);
  const withSuite = async (world: World, app: App) => {
    const suite = await savedSuite(world, app);
    return { ...suite, ...(await entryOf(suite, app)), ...(await callOf(suite, world, app)) };
  };
  const intoSuite = (_: World, { suiteId }: Record<string, string>) => ({ suiteId });
  return {
    listServerHistory: { params: savedServer },
    getServerHistoryEntry: { params: entry },
    compareServerHistory: { params: entry },
    // Nothing listens there, which is what is written down.
    rerunServerHistoryEntry: { params: entry },
    createCaseFromHistory: { params: withSuite, body: intoSuite },
    listServerVerdicts: {},
    getHistoryRetention: {},
    updateHistoryRetention: { body: () => ({ days: 7 }) },
    listSavedCalls: { params: savedServer },
    createSavedCall: {
      params: savedServer,
      body: () => ({ name: newId("savedCall"), subject: "search_books" }),
    },
    getSavedCall: { params: call },
    updateSavedCall: { params: call, body: () => ({ name: newId("savedCall") }) },
    deleteSavedCall: { params: call },
    runSavedCall: { params: call },
    createCaseFromSavedCall: { params: withSuite, body: intoSuite },
  } satisfies Record<string, OperationInput>;
}
