/** @module The file of `protocol conformance-suite`: which server, and which runs. */
import { type ProtocolSuiteRun, protocolCategories, suites } from "@fettle/checks";
import { parseTarget } from "@fettle/mcp";
import * as z from "zod";
import { asUsageError } from "../connection/failure.ts";
import { protocolVersions } from "../connection/flags.ts";
import { parseWith, waitMs } from "../input/parse-with.ts";
import { fixturesSchema } from "./fixtures.ts";

const runSchema = z.strictObject({
  label: z.string().trim().min(1).optional(),
  categories: z.array(z.enum(protocolCategories)).optional(),
  checkIds: z.array(z.enum(suites.protocol.checks.map(({ id }) => id))).optional(),
  protocolVersion: z.enum(protocolVersions).optional(),
  fixtures: fixturesSchema.optional(),
  fixtureProfile: z.literal("official").optional(),
  accessToken: z.string().min(1).optional(),
  customHeaders: z.record(z.string(), z.string()).optional(),
  checkTimeout: waitMs.optional(),
});

const commandSchema = z.strictObject({
  command: z.string().trim().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
});

const suiteSchema = z
  .strictObject({
    name: z.string().trim().min(1).optional(),
    serverUrl: z.string().optional(),
    target: commandSchema.optional(),
    defaults: runSchema.omit({ label: true }).optional(),
    runs: z.array(runSchema).min(1),
  })
  .refine(({ serverUrl, target }) => (serverUrl === undefined) !== (target === undefined), {
    message: "name exactly one of serverUrl and target",
  });

export interface ProtocolSuitePlan {
  name: string;
  runs: ProtocolSuiteRun[];
}

export function readProtocolSuite(document: unknown, where: string): ProtocolSuitePlan {
  const suite = parseWith(suiteSchema, document, where);
  const runs = suite.runs.map((own, index): ProtocolSuiteRun => {
    const run = { ...suite.defaults, ...own };
    return {
      label: run.label ?? `Run ${index + 1}`,
      target: targetOf(suite, run),
      options: {
        protocolVersion: run.protocolVersion,
        categories: run.categories,
        checkIds: run.checkIds,
        checkTimeoutMs: run.checkTimeout,
        fixtures: run.fixtures,
        officialFixtures: run.fixtureProfile === "official",
      },
    };
  });
  return { name: suite.name ?? suite.serverUrl ?? suite.target?.command ?? "", runs };
}

type Suite = z.infer<typeof suiteSchema>;

function targetOf({ serverUrl, target }: Suite, { accessToken, customHeaders }: z.infer<typeof runSchema>) {
  try {
    if (target) {
      const { command, args, env, cwd } = target;
      return parseTarget({
        command,
        ...(args && { args }),
        ...(env && { env }),
        ...(cwd !== undefined && { cwd }),
      });
    }
    return parseTarget({
      url: serverUrl ?? "",
      ...(customHeaders && { headers: customHeaders }),
      ...(accessToken !== undefined && { accessToken }),
    });
  } catch (error) {
    throw asUsageError(error);
  }
}
