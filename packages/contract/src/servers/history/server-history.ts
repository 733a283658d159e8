/** @module What was done with a saved server, and the calls people keep to make again. */
import { z } from "zod";
import { deletedFields } from "../../core/gone.ts";
import { idOf } from "../../core/id-of.ts";
import { jsonObject } from "../../core/json-object.ts";
import { limits } from "../../core/limits/limits.ts";
import { page, pageQuery } from "../../core/page.ts";
import { changesSomething, ExpectedUpdatedAt, Timestamp } from "../../core/timestamp.ts";
import { RpcLogs } from "../mcp.ts";
import { serverHistoryLimits } from "./limits.ts";
import { callKinds, historyKinds, historyOutcomes, verdictKinds } from "./words.ts";

const { live } = limits;

const Person = z
  .object({ userId: z.string(), name: z.string() })
  .nullable()
  .describe("Null when that is not known any more");

const entry = {
  id: z.string(),
  serverId: z.string(),
  kind: z.enum(historyKinds),
  outcome: z.enum(historyOutcomes),
  code: z.string().nullable().describe("Why, as a stable word: of an error, or of a report"),
  subject: z.string().nullable().describe("The tool, prompt or address; the suites of a run"),
  summary: z.string().describe("What came of it, in a line"),
  by: Person,
  at: Timestamp.describe("When it began"),
  durationMs: z.int(),
  callId: z.string().nullable().describe("The saved call it was made from"),
  runId: z.string().nullable().describe("The conformance run it tells of, with its report"),
};

export const ServerHistoryEntry = z.object(entry).meta({ id: "ServerHistoryEntry" });
export type ServerHistoryEntry = z.output<typeof ServerHistoryEntry>;

export const ServerHistoryPage = page(ServerHistoryEntry).meta({ id: "ServerHistoryPage" });

export const ServerHistoryQuery = pageQuery(serverHistoryLimits.listed).extend({
  kind: z.enum(historyKinds).optional(),
  outcome: z.enum(historyOutcomes).optional(),
});
export type ServerHistoryQuery = z.output<typeof ServerHistoryQuery>;

const withheld = z
  .array(z.string())
  .describe("JSON pointers to parameters that hold credentials: they are not kept, and are sent anew");

export const ServerHistoryDetail = z
  .object({
    ...entry,
    parameters: jsonObject.nullable().describe("What was sent, credentials left out"),
    withheld,
    result: z
      .unknown()
      .describe("What came back, credentials left out; null when nothing did, or it was too long"),
    isResultCut: z.boolean().describe("The result was too long to be kept"),
    recording: RpcLogs.unwrap().describe("The messages behind it, oldest first"),
    messagesLeftOut: z.int().describe("Messages that were too many or too long to be kept"),
  })
  .meta({ id: "ServerHistoryDetail" });
export type ServerHistoryDetail = z.output<typeof ServerHistoryDetail>;

const Verdict = ServerHistoryEntry.pick({
  outcome: true,
  code: true,
  summary: true,
  by: true,
  at: true,
  durationMs: true,
  runId: true,
}).extend({ kind: z.enum(verdictKinds), entryId: z.string() });

export const ServerVerdicts = z
  .object({ serverId: z.string(), verdicts: z.array(Verdict).describe("The latest of each kind of check") })
  .meta({ id: "ServerVerdicts" });
export type ServerVerdicts = z.output<typeof ServerVerdicts>;

export const HistoryRetention = z
  .object({
    days: z.int().describe("Entries that are older are removed"),
    entriesPerServer: z.int().describe("The newest that are kept of each server"),
    runDays: z
      .int()
      .nullable()
      .describe("Eval, journey, conformance and readiness runs older than this are deleted; null keeps them"),
  })
  .meta({ id: "HistoryRetention" });
export type HistoryRetention = z.output<typeof HistoryRetention>;

export const HistoryRetentionUpdateRequest = z
  .strictObject({
    days: z.int().min(serverHistoryLimits.days.min).max(serverHistoryLimits.days.max).optional(),
    entriesPerServer: z
      .int()
      .min(serverHistoryLimits.entries.min)
      .max(serverHistoryLimits.entries.max)
      .optional(),
    runDays: z
      .int()
      .min(serverHistoryLimits.runDays.min)
      .max(serverHistoryLimits.runDays.max)
      .nullable()
      .optional()
      .describe("Null keeps runs until they are deleted by hand"),
  })
  .refine((change) => Object.keys(change).length > 0, "Send at least one field to change.")
  .meta({ id: "HistoryRetentionUpdateRequest" });
export type HistoryRetentionUpdateRequest = z.output<typeof HistoryRetentionUpdateRequest>;

const Change = z.object({
  path: z.string().describe("A JSON pointer into the result; empty for all of it"),
  kind: z.enum(["added", "removed", "changed"]),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

export const HistoryComparison = z
  .object({
    before: ServerHistoryEntry.nullable().describe("Null when there is no earlier result"),
    after: ServerHistoryEntry,
    isSame: z.boolean().describe("Outcome and result are the same"),
    changes: z.array(Change),
    isCut: z.boolean().describe("There are more differences, or a result was too long to be kept"),
  })
  .meta({ id: "HistoryComparison" });
export type HistoryComparison = z.output<typeof HistoryComparison>;

export const RunAgainRequest = z
  .strictObject({ parameters: jsonObject.optional().describe("In place of all those that were sent before") })
  .meta({ id: "RunAgainRequest" });
export type RunAgainRequest = z.output<typeof RunAgainRequest>;

export const RanAgain = z
  .object({ entry: ServerHistoryDetail, comparison: HistoryComparison })
  .meta({ id: "RanAgain" });
export type RanAgain = z.output<typeof RanAgain>;

const name = z.string().trim().min(1).max(serverHistoryLimits.callNameLength);
const parameters = jsonObject.refine(
  (value) => JSON.stringify(value).length <= serverHistoryLimits.parametersBytes,
  `The parameters may have ${serverHistoryLimits.parametersBytes} characters as JSON.`,
);

export const SavedCall = z
  .object({
    id: z.string(),
    serverId: z.string(),
    name: z.string(),
    kind: z.enum(callKinds),
    subject: z.string().describe("The tool, the prompt, or the address of the resource"),
    parameters: jsonObject,
    withheld,
    last: ServerHistoryEntry.pick({ outcome: true, summary: true, at: true, durationMs: true })
      .extend({ entryId: z.string() })
      .nullable()
      .describe("When it was last made, and what came of it"),
    createdBy: Person,
    updatedBy: Person,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "SavedCall" });
export type SavedCall = z.output<typeof SavedCall>;

export const SavedCallPage = page(SavedCall).meta({ id: "SavedCallPage" });

export const SavedCallCreateRequest = z
  .strictObject({
    name,
    entryId: idOf<"historyEntry">()
      .optional()
      .describe("An entry of the history, to be saved as it was made"),
    kind: z.enum(callKinds).optional().describe("`tool` unless said"),
    subject: z
      .string()
      .min(1)
      .max(live.uriLength)
      .optional()
      .describe("The tool, the prompt, or the address of the resource"),
    parameters: parameters.optional(),
  })
  .superRefine(({ entryId, kind, subject, parameters: given }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (entryId === undefined && subject === undefined)
      refuse("subject", "Say what is called, or which entry.");
    if (entryId !== undefined && (kind ?? subject ?? given) !== undefined)
      refuse("entryId", "An entry says what is called; send nothing besides it.");
  })
  .meta({ id: "SavedCallCreateRequest" });
export type SavedCallCreateRequest = z.output<typeof SavedCallCreateRequest>;

export const SavedCallUpdateRequest = z
  .strictObject({
    name: name.optional(),
    parameters: parameters.optional(),
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .refine(changesSomething, "Send at least one field to change.")
  .meta({ id: "SavedCallUpdateRequest" });
export type SavedCallUpdateRequest = z.output<typeof SavedCallUpdateRequest>;

export const SavedCallDeleted = z.object(deletedFields).meta({ id: "SavedCallDeleted" });
