/** @module `--upload` and `--require-upload`: a finished run goes to the history of a project, and what hinders it is told or fatal. */
import type { CombinedReport, SuiteKind, SuiteReport } from "@fettle/checks";
import { inProject } from "../cloud/in-project.ts";
import type { HostedCall } from "../cloud/reach-deployment.ts";
import { text } from "../output/text.ts";
import type { FlagValues } from "../program/flag.ts";
import { version } from "../version.ts";
import type { uploadFlags } from "./flags.ts";

export type UploadCall = HostedCall & { flags: FlagValues<typeof uploadFlags> };

export interface FinishedRun {
  requestedSuites: SuiteKind[];
  reports: Partial<Record<SuiteKind, SuiteReport>>;
  outcome: SuiteReport["outcome"];
  score: CombinedReport["score"] | undefined;
  durationMs: number;
}

export interface KeptRun {
  runId: string;
  runUrl: string;
}

/** Sends a run of the server of this name, when that was asked for. */
export type Upload = (server: string, run: FinishedRun) => Promise<KeptRun | undefined>;

/**
 * To be called before anything is tested: what must be kept and cannot be is known by then.
 *
 * @example
 * const upload = await planUpload(call);
 */
export async function planUpload(call: UploadCall, { isImplied = false } = {}): Promise<Upload> {
  const { upload, requireUpload } = call.flags;
  if (!upload && !requireUpload && !isImplied) return async () => undefined;
  const project = requireUpload ? await inProject(call) : undefined;
  return async (server, run) => {
    try {
      const { client, projectId } = project ?? (await inProject(call));
      const { runId, runUrl } = await client.reportConformanceRun({ projectId, body: bodyOf(server, run) });
      call.print.note(text`Kept: ${runUrl}`);
      return { runId, runUrl };
    } catch (error) {
      if (requireUpload) throw error;
      call.print.note(text`Not kept: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
}

/** One suite is a run of its own. */
export async function uploadSuite(
  upload: Upload,
  kind: SuiteKind,
  server: string,
  report: SuiteReport,
): Promise<void> {
  const { score, durationMs } = report;
  const { outcome } = report;
  await upload(server, { requestedSuites: [kind], reports: { [kind]: report }, outcome, score, durationMs });
}

function bodyOf(server: string, run: FinishedRun) {
  const protocolVersion = run.score?.protocolVersion;
  return {
    schemaVersion: 1 as const,
    ...run,
    // The history has no word for it: nothing was unmet.
    outcome: run.outcome === "not-applicable" ? ("passed" as const) : run.outcome,
    // The contract leaves more open than a report of ours is.
    reports: run.reports as never,
    ...(protocolVersion !== undefined && { protocolVersion }),
    engineVersion: version,
    source: "cli" as const,
    target: {
      kind: "external" as const,
      ...(/^https?:\/\//.test(server) ? { serverUrl: server } : { serverRef: server }),
    },
  };
}
