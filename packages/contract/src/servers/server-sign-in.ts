/** @module A person's sign-in to a saved server, watched: each stage of OAuth with what was sent and answered, the rules judged by it, and where it stands. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";
import { ruleWords } from "./conformance/words.ts";

/** How far a watched sign-in is; `failed` may be tried again from the stage that failed. */
export const signInStates = ["open", "awaiting_person", "failed", "signed_in", "expired"] as const;

const Rule = z.object({
  word: z.enum(ruleWords).describe("How strongly it is said"),
  title: z.string(),
  url: z.string().describe("Where the sentence is"),
  revision: z.string(),
});

const Advice = z.object({ word: z.enum(ruleWords), message: z.string(), url: z.string().optional() });

const Exchange = z.object({
  at: z.number(),
  method: z.string(),
  url: z.string(),
  requestHeaders: z.record(z.string(), z.string()),
  requestBody: z.string().optional(),
  status: z.number().optional(),
  statusText: z.string().optional(),
  responseHeaders: z.record(z.string(), z.string()).optional(),
  responseBody: z.string().optional(),
  responseBytes: z.number(),
  truncated: z.boolean().optional(),
  headMs: z.number().optional(),
  endMs: z.number().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

const status = z.enum(["passed", "failed", "skipped"]);
const skipReason = z.enum(["not-applicable", "could-not-run"]).optional();

const Step = z.object({
  step: z.string(),
  title: z.string(),
  summary: z.string(),
  status,
  skipReason,
  durationMs: z.number(),
  decisions: z.array(
    z.object({ about: z.string(), offered: z.unknown().optional(), picked: z.unknown(), why: z.string() }),
  ),
  notes: z.array(z.string()),
  warnings: z.array(Advice),
  hints: z.array(z.string()),
  exchanges: z.array(Exchange).describe("Every request of the step, credentials masked"),
});

const SignInVerdict = z.object({
  id: z.string().describe("Of a check of the OAuth suite, or of the step that rests on the rule"),
  title: z.string(),
  status,
  skipReason,
  rule: Rule.optional(),
  message: z.string().optional().describe("Why it failed, or why it was not judged"),
  warnings: z.array(Advice).optional(),
});

const SignInStage = z.object({
  id: z.string(),
  title: z.string(),
  about: z.string(),
  status: z.enum(["waiting", "begun", "passed", "failed", "could-not-run"]),
  steps: z.array(Step),
  verdicts: z.array(SignInVerdict),
});

export const ServerSignIn = z
  .object({
    revision: z.int().describe("Sent back to go on; whoever holds an older one is told so"),
    state: z.enum(signInStates),
    protocolVersion: z.string(),
    registration: z.string().nullable(),
    issuer: z.string().nullable(),
    scopes: z.array(z.string()),
    clientId: z.string().nullable(),
    authorizationUrl: z.string().nullable().describe("Where the person agrees, while they are awaited"),
    claimsClientSecret: z
      .boolean()
      .describe("Going on says that the saved client secret, not used yet, belongs to the issuer"),
    failure: z.object({ message: z.string(), hint: z.string().optional() }).nullable(),
    stages: z.array(SignInStage),
    at: Timestamp,
  })
  .meta({ id: "ServerSignIn" });
export type ServerSignIn = z.output<typeof ServerSignIn>;

export const ServerSignInAnswer = z.object({ signIn: ServerSignIn.nullable() });

export const ServerSignInWalk = z.strictObject({
  revision: z.int32().nullable().describe("Where it stands for the caller; null begins anew"),
  run: z.enum(["stage", "all"]).describe("One stage, or all that goes without a person"),
});
export type ServerSignInWalk = z.output<typeof ServerSignInWalk>;
