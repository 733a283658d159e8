/** @module Repositories whose pull requests run a suite. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { limits } from "../core/limits/limits.ts";
import { Timestamp } from "../core/timestamp.ts";

const outagePolicy = z
  .enum(["fail_open", "fail_closed"])
  .describe("What a check says when the run could not be made");

const EvalCheckRepo = z
  .object({
    id: z.string(),
    repo: z.string(),
    enabled: z.boolean(),
    suiteId: z.string().nullable(),
    projectId: z.string().nullable(),
    outagePolicy: outagePolicy.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "EvalCheckRepo" });

export const EvalCheckRepos = z
  .object({
    organizationId: z.string(),
    available: z.boolean().describe("False: this deployment is not connected to a code host"),
    items: z.array(EvalCheckRepo),
    connectable: z
      .array(z.object({ repo: z.string() }))
      .nullable()
      .describe("Null: the code host could not be asked"),
  })
  .meta({ id: "EvalCheckRepos" });

export const EvalCheckRepoConnectRequest = z
  .strictObject({
    projectId: idOf<"project">(),
    suiteId: idOf<"evalSuite">(),
    repo: z.string().trim().min(1).max(limits.text.nameLength),
    outagePolicy,
  })
  .meta({ id: "EvalCheckRepoConnectRequest" });

export const EvalCheckRepoConnected = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    projectId: z.string(),
    suiteId: z.string(),
    repo: z.string(),
    outagePolicy,
  })
  .meta({ id: "EvalCheckRepoConnected" });
