/** @module A suite of cases: what it runs against, with which settings, and when by itself. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { limits } from "../core/limits/limits.ts";
import { changesSomething, ExpectedUpdatedAt, Timestamp } from "../core/timestamp.ts";
import { scheduleStates } from "../runs/schedule-states.ts";
import { checkList, repetitions } from "./case.ts";
import { EvalMatchOptions, EvalMatchOptionsInput } from "./match-options.ts";
import { fraction, nameText, opaqueId } from "./step.ts";
import { inlineTests } from "./test-case.ts";
import { evalRunStatuses, suiteModelSources, suiteOrigins } from "./words.ts";

const { evals, text } = limits;

const kept = (most: number) =>
  z
    .string()
    .max(most)
    .refine((given) => !given.includes("\0"), { error: "holds the zero character" });
const name = kept(text.nameLength).trim().min(1);
const description = kept(text.descriptionLength);
const systemPrompt = kept(limits.clients.systemPromptLength);
const temperature = z.number().min(limits.clients.temperature.min).max(limits.clients.temperature.max);

/** A hundred percent is everything. */
const percent = z.number().min(0).max(evals.percent);

const tags = z.array(nameText).max(evals.tagsPerSuite);

const modelSource = z
  .enum(suiteModelSources)
  .describe(
    "Whose model answers; `target` (default): the client's or environment's, `suite`: the suite's own",
  );

/** Said alike wherever a suite is written. */
export const suiteTexts = { name, description, systemPrompt, temperature, percent, tags, modelSource };

export const PassCriteria = z
  .strictObject({ minimumPassRate: percent.describe("Percent of the repetitions that must pass") })
  .meta({ id: "EvalPassCriteria" });

const EvalSuiteSchedule = z
  .object({
    enabled: z.boolean(),
    intervalMinutes: z.int().nullable(),
    environmentId: z.string().nullable(),
    state: z
      .enum(scheduleStates)
      .describe("`paused`: a quota or a right is missing; `failing`: several runs in a row did not start"),
    lastError: z.string().nullable().describe("Why the last one did not start"),
    nextRunAt: Timestamp.nullable(),
  })
  .meta({ id: "EvalSuiteSchedule" });
export type EvalSuiteSchedule = z.output<typeof EvalSuiteSchedule>;

const judge = z.object({
  enabled: z.boolean(),
  model: z.string().nullable(),
  autoRun: z.boolean().describe("Grades every finished run, which spends; `enabled` alone grades nothing"),
  threshold: fraction,
});

export const EvalSuiteSettings = z.object({
  minimumAccuracy: percent.nullable().describe("Percent; null counts as 100"),
  minimumIterations: z
    .int()
    .nullable()
    .describe("At least so many repetitions of every case; null: no floor"),
  matchOptions: EvalMatchOptions.nullable(),
  checks: checkList,
  judge,
  failOnToolError: z.boolean().describe("A call that failed fails the case, whatever its assertions say"),
  modelSource: modelSource.optional(),
});
export type EvalSuiteSettings = z.output<typeof EvalSuiteSettings>;

const ExecutionConfig = z
  .object({
    model: z.string().optional(),
    provider: z.string().optional(),
    systemPrompt: z.string().nullable(),
    temperature: z.number().nullable(),
  })
  .describe("What a case does not say itself");

export const EvalSuiteDetail = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    projectId: z.string(),
    origin: z.enum(suiteOrigins),
    declaredId: z.string().optional().describe("Of a suite that a file owns: the id in the file"),
    sourceHash: z.string().optional().describe("SHA-256 of the file it was last synchronized with"),
    tags: z.array(z.string()),
    environment: z.object({
      servers: z
        .array(z.string())
        .describe("Ids of the saved selection, which runs when nothing is attached"),
      serverNames: z.array(z.string()).describe("In the same order"),
      computerEnvironment: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
    }),
    environmentIds: z.array(z.string()).describe("Attached environments, in the order of attaching"),
    hosts: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        servers: z
          .array(z.string())
          .optional()
          .describe("Instead of the client's own; an empty list is none"),
      }),
    ),
    executionConfig: ExecutionConfig.nullable(),
    settings: EvalSuiteSettings,
    schedule: EvalSuiteSchedule,
    caseCount: z.int(),
    createdBy: z.object({ userId: z.string(), name: z.string() }).nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "EvalSuiteDetail" });
export type EvalSuiteDetail = z.output<typeof EvalSuiteDetail>;

export const EvalSuite = z
  .object({
    id: z.string(),
    name: z.string(),
    projectId: z.string(),
    origin: z.enum(suiteOrigins),
    declaredId: z.string().optional(),
    tags: z.array(z.string()),
    caseCount: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    latestRun: z
      .object({
        id: z.string(),
        status: z.enum(evalRunStatuses),
        result: z.string().nullable(),
        passRate: fraction.nullable(),
        passed: z.int().nullable(),
        failed: z.int().nullable(),
        createdAt: Timestamp,
      })
      .nullable(),
    totals: z
      .object({ passed: z.int(), failed: z.int(), runs: z.int() })
      .describe("Finished runs by their result"),
    passRateTrend: z.array(z.number()).describe("Of the latest finished runs, the oldest first"),
    schedule: EvalSuiteSchedule,
  })
  .meta({ id: "EvalSuite" });
export type EvalSuite = z.output<typeof EvalSuite>;

export const EvalSuiteCreateRequest = z
  .strictObject({
    name,
    description: description.optional(),
    serverIds: z.array(z.string().min(1)).min(1).max(limits.serverGroups.servers).describe("Ids or names"),
    serverNames: z.array(z.string()).optional().describe("Ignored: the service knows them"),
    model: nameText,
    provider: nameText.optional(),
    passCriteria: PassCriteria.optional(),
    tags: tags.optional(),
    tests: inlineTests.min(1),
  })
  .meta({ id: "EvalSuiteCreateRequest" });
export type EvalSuiteCreateRequest = z.output<typeof EvalSuiteCreateRequest>;

export const CaseUpsert = z
  .object({
    committed: z.array(z.object({ id: z.string(), name: z.string() })),
    failed: z.array(
      z.object({ index: z.int(), name: z.string().optional(), code: z.string(), error: z.string() }),
    ),
  })
  .meta({ id: "EvalCaseUpsert" });

export const NamedServer = z.object({ id: z.string(), name: z.string() });

export const EvalSuiteCreated = z
  .object({ suiteId: z.string(), name: z.string(), servers: z.array(NamedServer), caseUpsert: CaseUpsert })
  .meta({ id: "EvalSuiteCreated" });
export type EvalSuiteCreated = z.output<typeof EvalSuiteCreated>;

const serverList = z.array(z.string().min(1)).max(limits.serverGroups.servers);

export const EvalSuiteUpdateRequest = z
  .strictObject({
    name: name.optional(),
    description: description.optional().describe("An empty text clears it"),
    tags: tags.optional(),
    environment: z
      .strictObject({
        servers: serverList.optional().describe("Ids or names; replaces the saved selection"),
        computerEnvironment: z.string().min(1).nullable().optional(),
      })
      .optional(),
    environmentIds: z
      .array(idOf<"environment">())
      .min(1, "Send null to detach all.")
      .max(evals.environmentsPerSuite)
      .nullable()
      .optional()
      .describe("Replaces the whole ordered list; null detaches all"),
    executionConfig: z
      .strictObject({
        model: nameText.optional(),
        provider: nameText.nullable().optional(),
        systemPrompt: systemPrompt.nullable().optional(),
        temperature: temperature.nullable().optional(),
      })
      .optional()
      .describe("Only what is sent changes; null clears"),
    hosts: z
      .array(
        z.strictObject({
          host: z.string().min(1).describe("A client, by id or name"),
          servers: serverList.optional().describe("Instead of the client's own; an empty list is none"),
        }),
      )
      .max(evals.hostsPerSuite)
      .optional()
      .describe("Replaces the whole list"),
    settings: z
      .strictObject({
        minimumAccuracy: percent.optional(),
        minimumIterations: repetitions.nullable().optional(),
        matchOptions: EvalMatchOptionsInput.nullable().optional(),
        checks: checkList.nullable().optional(),
        judge: z
          .strictObject({
            enabled: z.boolean().optional(),
            model: nameText.optional(),
            autoRun: z.boolean().optional(),
            threshold: fraction.optional(),
          })
          .optional(),
        failOnToolError: z.boolean().optional(),
        modelSource: modelSource.optional(),
      })
      .optional(),
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .refine(changesSomething, "Send at least one field to change.")
  .meta({ id: "EvalSuiteUpdateRequest" });
export type EvalSuiteUpdateRequest = z.output<typeof EvalSuiteUpdateRequest>;

export const EvalSuiteScheduleRequest = z
  .strictObject({
    enabled: z.boolean(),
    intervalMinutes: z
      .int()
      .min(evals.scheduleIntervalMinutes.min)
      .max(evals.scheduleIntervalMinutes.max)
      .optional(),
    environmentId: idOf<"environment">().optional(),
  })
  .meta({ id: "EvalSuiteScheduleRequest" });
export type EvalSuiteScheduleRequest = z.output<typeof EvalSuiteScheduleRequest>;

export const EvalSuiteEnvironmentAttachRequest = z
  .strictObject({ environmentId: idOf<"environment">() })
  .meta({ id: "EvalSuiteEnvironmentAttachRequest" });

export const EvalSuiteEnvironmentAttached = z
  .object({
    suiteId: z.string(),
    attached: z.boolean().describe("False: it was attached already"),
    environmentIds: z.array(z.string()),
  })
  .meta({ id: "EvalSuiteEnvironmentAttached" });
export type EvalSuiteEnvironmentAttached = z.output<typeof EvalSuiteEnvironmentAttached>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: "is no SHA-256 in hexadecimal" });

export const FileSuiteSync = z
  .strictObject({
    declaredSuiteId: opaqueId.describe("`suite.id` of the file; a suite is never looked for by its name"),
    name,
    description: description.optional(),
    sourceHash: sha256.describe("Of the file's bytes"),
    provenance: z.record(z.string(), z.string()).optional(),
    environment: z.strictObject({
      servers: serverList.describe("Names; may be empty when the file names an environment"),
      serverBindings: z
        .array(z.strictObject({ serverName: nameText, projectServerId: idOf<"server">() }))
        .max(limits.serverGroups.servers)
        .optional()
        .describe("Which saved server a name stands for"),
    }),
    defaultConfig: z.strictObject({
      modelId: nameText,
      provider: nameText.optional(),
      systemPrompt: systemPrompt.optional(),
      temperature: temperature.optional(),
      modelSource: modelSource.optional(),
    }),
    defaultPassCriteria: PassCriteria,
  })
  .meta({ id: "FileSuiteSync" });
export type FileSuiteSync = z.output<typeof FileSuiteSync>;

export const FileSuiteSynced = z
  .object({ created: z.boolean(), suite: EvalSuiteDetail })
  .meta({ id: "FileSuiteSynced" });
export type FileSuiteSynced = z.output<typeof FileSuiteSynced>;
