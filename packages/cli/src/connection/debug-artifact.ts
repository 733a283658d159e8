/** @module `--debug-out`: one file with the command, its target, what came of it, a doctor's look afterwards, and the traffic. No secrets. */
import { resolve } from "node:path";
import { type DoctorReport, doctor } from "@fettle/checks";
import { escapeHidden } from "@fettle/contract/formats";
import { redactArguments, secretArguments } from "@fettle/contract/secrets";
import { isObject, type Recorder, redactKnowing, secretsOf } from "@fettle/mcp";
import { type CliError, operationalError, toCliError } from "../cli-error.ts";
import { writeAtomically } from "../files/atomic-write.ts";
import { errorEnvelope } from "../output/error.ts";
import type { Outcome } from "../output/printer.ts";
import { text } from "../output/text.ts";
import { version } from "../version.ts";
import { asCliError } from "./failure.ts";
import type { Plan, ServerCall } from "./open-server.ts";
import { authorizeFrom } from "./renewal.ts";
import { rpcLogsOf } from "./rpc-logs.ts";

export interface DebugSubject {
  /** The command's words. */
  name: string;
  input: Record<string, unknown>;
  /** Read when the command is over: a login has a token then. */
  plan: Pick<Plan, "target" | "facts" | "held" | "timeoutMs" | "capabilities" | "renewal">;
  /** Where to write; nothing is written without it. */
  path: string | undefined;
  /** What must not be in the file, besides what the target holds. */
  secrets?: readonly string[];
}

/** What is needed of a call to write about it. */
export type DebugCall = Pick<ServerCall, "world" | "print"> & {
  flags: { protocolVersion?: string | undefined };
};

/** The doctor's look is a courtesy; it never takes longer than this, nor than the time-out. */
const snapshotMs = 10_000;

/** Runs the command and writes the file, whatever comes of it, before its outcome or failure goes on. */
export async function withDebugArtifact(
  call: DebugCall,
  subject: DebugSubject,
  recorder: Recorder,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { path } = subject;
  if (path === undefined) return work();
  const write = (outcome: DebugOutcome) => writeArtifact(call, { ...subject, path }, recorder, outcome);
  let outcome: Outcome;
  try {
    outcome = await work();
    await outcome.leaving;
  } catch (thrown) {
    const error = toCliError(asCliError(thrown));
    await write({ status: "error", ...errorEnvelope(error) });
    throw error;
  }
  const { value, exitCode = 0 } = outcome;
  await write(
    exitCode === 0
      ? { status: "success", result: value }
      : {
          status: "error",
          error: { code: "OPERATIONAL_ERROR", message: "The command reported a failure." },
          result: value,
        },
  );
  return outcome;
}

type DebugOutcome =
  | { status: "success"; result: unknown }
  | { status: "error"; error: ReturnType<typeof errorEnvelope>["error"]; result?: unknown };

async function writeArtifact(
  call: DebugCall,
  { name, input, plan, path, secrets = [] }: DebugSubject & { path: string },
  recorder: Recorder,
  outcome: DebugOutcome,
): Promise<void> {
  const { world, print } = call;
  // The commands' own results carry the logs too when --rpc is on; once is enough.
  const result = "result" in outcome && isObject(outcome.result) ? withoutLogs(outcome.result) : undefined;
  const artifact = {
    schemaVersion: 1,
    generatedAt: new Date(world.now()).toISOString(),
    command: { name, input: redactArguments(input) },
    target: plan.facts,
    outcome: { ...outcome, ...(result && { result }) },
    ...(await snapshotOf(call, plan)),
    _rpcLogs: rpcLogsOf(recorder, plan),
  };
  const absolute = resolve(world.cwd, path);
  const known = [...secretsOf(plan.target), ...secretArguments(input), ...secrets];
  const content = `${JSON.stringify(redactKnowing(artifact, known), null, 2)}\n`;
  try {
    await writeAtomically(absolute, escapeHidden(content), { mode: 0o600 });
  } catch (cause) {
    throw operationalError(
      `--debug-out could not be written: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  }
  if (print.format === "human") print.note(text`Wrote ${absolute}`);
}

async function snapshotOf(
  { flags }: DebugCall,
  plan: DebugSubject["plan"],
): Promise<
  { snapshot: DoctorReport } | { snapshot: null; snapshotError: { code: string; message: string } }
> {
  try {
    const snapshot = await doctor(plan.target, {
      timeoutMs: Math.min(snapshotMs, plan.timeoutMs),
      clientInfo: { name: "fettle", version },
      protocolVersion: flags.protocolVersion,
      capabilities: plan.capabilities,
      held: plan.held,
      authorize: plan.renewal && authorizeFrom(plan.renewal, plan.target, flags.protocolVersion),
    });
    return { snapshot };
  } catch (thrown) {
    const { code, message }: CliError = toCliError(asCliError(thrown));
    return { snapshot: null, snapshotError: { code, message } };
  }
}

function withoutLogs({ _rpcLogs: _logs, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}
