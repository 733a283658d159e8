/** @module Operations of the Server history tag: what was done with a saved server, and the calls people keep to make again. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { access, operation, serverErrors } from "../../core/operation.ts";
import { page } from "../../core/page.ts";
import { AsLastRead } from "../../core/timestamp.ts";
import {
  HistoryComparison,
  HistoryRetention,
  HistoryRetentionUpdateRequest,
  RanAgain,
  RunAgainRequest,
  SavedCall,
  SavedCallCreateRequest,
  SavedCallDeleted,
  SavedCallPage,
  SavedCallUpdateRequest,
  ServerHistoryDetail,
  ServerHistoryPage,
  ServerHistoryQuery,
  ServerVerdicts,
} from "../history/server-history.ts";

const tag = "Server history";
const history = "/projects/{projectId}/servers/{serverId}/history";
const calls = "/projects/{projectId}/servers/{serverId}/saved-calls";

export const listServerHistory = operation({
  id: "listServerHistory",
  tag,
  method: "GET",
  path: history,
  access: access.project.read,
  summary: "List what was done with a saved server, the latest first",
  description:
    "Lists calls, checks and other things done with a server, newest first. Filter by kind and outcome.",
  cli: "fettle cloud projects servers history",
  built: true,
  errors: ["VALIDATION_ERROR"],
  query: ServerHistoryQuery,
  output: ServerHistoryPage,
});

export const getServerHistoryEntry = operation({
  id: "getServerHistoryEntry",
  tag,
  method: "GET",
  path: `${history}/{entryId}`,
  access: access.project.read,
  summary: "Read one entry with its parameters, result and recording",
  description: "Reads one entry with its parameters, its result and the messages that were exchanged.",
  cli: "fettle cloud projects servers history get",
  built: true,
  output: ServerHistoryDetail,
});

export const compareServerHistory = operation({
  id: "compareServerHistory",
  tag,
  method: "GET",
  path: `${history}/{entryId}/comparison`,
  access: access.project.read,
  summary: "Tell what is different in an entry's result from another's",
  description:
    "Compares an entry's result with an earlier one, place by place. Without `with` it takes the last of the same call.",
  cli: "fettle cloud projects servers history diff",
  built: true,
  errors: ["VALIDATION_ERROR"],
  query: z.strictObject({
    with: idOf<"historyEntry">()
      .optional()
      .describe("The earlier one; unless said, the last of the same call"),
  }),
  output: HistoryComparison,
});

export const rerunServerHistoryEntry = operation({
  id: "rerunServerHistoryEntry",
  tag,
  method: "POST",
  path: `${history}/{entryId}/run`,
  access: access.project.read,
  summary: "Make a call of the history again, and compare the results",
  description:
    "Makes a call of the history again, with its parameters or those sent along, and compares the results.",
  effect: "outside",
  cli: "fettle cloud projects servers history run",
  built: true,
  exactNumbers: true,
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED", ...serverErrors],
  body: RunAgainRequest,
  output: RanAgain,
});

export const listServerVerdicts = operation({
  id: "listServerVerdicts",
  tag,
  method: "GET",
  path: "/projects/{projectId}/server-verdicts",
  access: access.project.read,
  summary: "The latest outcome of each check of each server",
  description: "Lists the latest outcome of each kind of check for each server.",
  cli: "fettle cloud projects servers verdicts",
  built: true,
  query: z.strictObject({ serverId: idOf<"server">().optional().describe("Of this one alone") }),
  output: page(ServerVerdicts),
});

export const getHistoryRetention = operation({
  id: "getHistoryRetention",
  tag,
  method: "GET",
  path: "/projects/{projectId}/history-retention",
  access: access.project.read,
  summary: "How long a project keeps server history and runs",
  description: "Reads how long a project keeps server history and runs.",
  cli: "fettle cloud projects retention",
  built: true,
  output: HistoryRetention,
});

export const updateHistoryRetention = operation({
  id: "updateHistoryRetention",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/history-retention",
  access: access.project.admin,
  summary: "Change how long a project keeps server history and runs",
  description:
    "Changes how long a project keeps server history and runs. What is older is deleted in the background.",
  effect: "remove",
  cli: "fettle cloud projects retention update",
  built: true,
  errors: ["VALIDATION_ERROR"],
  body: HistoryRetentionUpdateRequest,
  output: HistoryRetention,
});

export const listSavedCalls = operation({
  id: "listSavedCalls",
  tag,
  method: "GET",
  path: calls,
  access: access.project.read,
  summary: "List the saved calls of a server",
  description: "Lists the calls that were saved for a server.",
  cli: "fettle cloud projects servers calls",
  built: true,
  output: SavedCallPage,
});

export const createSavedCall = operation({
  id: "createSavedCall",
  tag,
  method: "POST",
  path: calls,
  access: access.project.read,
  summary: "Save a call under a name, for everybody in the project",
  description:
    "Saves a call under a name: one of the history by `entryId`, or a new one by kind and subject.",
  effect: "write",
  touches: { server: "path.serverId" },
  cli: "fettle cloud projects servers calls save",
  built: true,
  status: 201,
  idempotent: true,
  exactNumbers: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: SavedCallCreateRequest,
  output: SavedCall,
});

export const getSavedCall = operation({
  id: "getSavedCall",
  tag,
  method: "GET",
  path: `${calls}/{callId}`,
  access: access.project.read,
  summary: "Read one saved call",
  description: "Reads one saved call with its last result.",
  cli: "fettle cloud projects servers calls get",
  built: true,
  output: SavedCall,
});

export const updateSavedCall = operation({
  id: "updateSavedCall",
  tag,
  method: "PATCH",
  path: `${calls}/{callId}`,
  access: access.project.read,
  summary: "Rename a saved call, or change its parameters",
  description: "Renames a saved call or changes its parameters.",
  effect: "write",
  touches: { savedCall: "path.callId", server: "path.serverId" },
  cli: "fettle cloud projects servers calls update",
  built: true,
  exactNumbers: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: SavedCallUpdateRequest,
  output: SavedCall,
});

export const deleteSavedCall = operation({
  id: "deleteSavedCall",
  tag,
  method: "DELETE",
  path: `${calls}/{callId}`,
  access: access.project.read,
  summary: "Delete a saved call; the history keeps what it did",
  description: "Deletes a saved call. The history keeps what it did.",
  cli: "fettle cloud projects servers calls delete",
  built: true,
  query: AsLastRead,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  output: SavedCallDeleted,
});

export const runSavedCall = operation({
  id: "runSavedCall",
  tag,
  method: "POST",
  path: `${calls}/{callId}/run`,
  access: access.project.read,
  summary: "Make a saved call, and compare with its last result",
  description:
    "Makes a saved call, with its parameters or those sent along, and compares with its last result.",
  effect: "outside",
  cli: "fettle cloud projects servers calls run",
  built: true,
  exactNumbers: true,
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED", ...serverErrors],
  body: RunAgainRequest,
  output: RanAgain,
});
