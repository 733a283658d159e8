/** @module How far simulated visitors lie from real ones: recorded sessions, played again with the persona driver in the visitor's place. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { Timestamp } from "../../core/timestamp.ts";
import { calibrationMeasures, calibrationSets, calibrationStates, personaDrivers } from "./words.ts";

/** From 0, no difference, to 1, nothing in common; null where nothing can be compared. */
const distance = {
  error: z.number().nullable().describe("From 0, the same, to 1, nothing in common"),
  low: z.number().nullable().describe("95% of drawings lie between `low` and `high`"),
  high: z.number().nullable(),
  chance: z
    .number()
    .nullable()
    .describe("What two samples of the real sessions differ by: an error of this size is none"),
};

export const CalibrationReport = z
  .object({
    sessions: z.int().describe("Real sessions with a simulated one beside them"),
    overall: z.object(distance).describe("The mean over the measures that can be compared"),
    measures: z.array(
      z.object({
        id: z.enum(calibrationMeasures),
        real: z.number().nullable().describe("The mean or rate of real sessions; a mix is no number"),
        simulated: z.number().nullable(),
        ...distance,
      }),
    ),
    tools: z
      .array(
        z.object({
          toolName: z.string().nullable().describe("Null: sessions that called nothing"),
          real: z.number(),
          simulated: z.number(),
        }),
      )
      .describe("The share of each tool in all calls"),
  })
  .meta({ id: "CalibrationReport" });
export type CalibrationReport = z.output<typeof CalibrationReport>;

const CalibrationSource = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("shipped"), set: z.enum(calibrationSets) }),
  z.object({ kind: z.literal("scenario"), scenarioId: z.string(), name: z.string() }),
]);
export type CalibrationSource = z.output<typeof CalibrationSource>;

const of = {
  id: z.string(),
  source: CalibrationSource.describe("Whose sessions stand for real visitors"),
  environmentName: z.string(),
  personaDriver: z.enum(personaDrivers),
  model: z.string().describe("Who answers, and who plays the visitor where a model does"),
};

export const Calibration = z
  .object({
    ...of,
    projectId: z.string(),
    status: z.enum(calibrationStates),
    error: z.string().nullable(),
    environmentId: z.string(),
    sessionsTotal: z.int(),
    sessionsPlayed: z.int(),
    sessionsBroken: z.int().describe("Broken off by something other than the visitor: in no figure"),
    report: CalibrationReport.nullable().describe("Once it is completed"),
    createdAt: Timestamp,
    endedAt: Timestamp.nullable(),
  })
  .meta({ id: "Calibration" });
export type Calibration = z.output<typeof Calibration>;

const wanted = {
  scenarioId: idOf<"scenario">()
    .optional()
    .describe("Sessions of its visitors; without it, the set that comes with the service"),
  environmentId: idOf<"environment">()
    .optional()
    .describe("Where they are played again; the scenario's own, or the project's only one, unless said"),
};

export const CalibrationEstimateQuery = z.strictObject(wanted);

export const CalibrationCreateRequest = z.strictObject(wanted).meta({ id: "CalibrationCreateRequest" });
export type CalibrationCreateRequest = z.output<typeof CalibrationCreateRequest>;

export const CalibrationEstimate = z
  .object({
    source: of.source,
    environmentId: z.string(),
    environmentName: of.environmentName,
    personaDriver: of.personaDriver,
    model: of.model,
    sessions: z.int(),
    modelCalls: z.int().describe("At most"),
    costUsd: z.number().nullable().describe("At most; null: the model has no price"),
  })
  .meta({ id: "CalibrationEstimate" });
export type CalibrationEstimate = z.output<typeof CalibrationEstimate>;

/** What a scorecard says of the visitors it counts. */
export const RunCalibration = z
  .object({
    ...of,
    sessions: z.int(),
    ...distance,
    endedAt: Timestamp,
  })
  .meta({ id: "RunCalibration" });
export type RunCalibration = z.output<typeof RunCalibration>;
