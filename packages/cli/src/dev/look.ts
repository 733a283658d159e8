/** @module One look at a server under work, and what differs from the look before. */
import {
  type DoctorCheckName,
  type DoctorFinding,
  type DoctorReport,
  doctor,
  doctorChecks,
  type EntityChange,
  reportDiff,
  type Surface,
  surfaceOf,
} from "@fettle/checks";
import { Recorder, secretsOf, targetLabel } from "@fettle/mcp";
import type { Plan } from "../connection/open-server.ts";
import { authorizeFrom } from "../connection/renewal.ts";
import { version } from "../version.ts";

export interface Look {
  report: DoctorReport;
  /** What is known of its surface, if it was ever seen. */
  surface?: Surface;
  /** What it said on stderr. */
  stderr: string;
}

type Status = DoctorReport["checks"][DoctorCheckName]["status"];

export interface Difference {
  changes: EntityChange[];
  checks: { check: DoctorCheckName; before: Status; after: Status; detail: string }[];
  found: DoctorFinding[];
  mended: DoctorFinding[];
}

/** Of what a server says while it starts, the end tells why it did not. */
const keptStderr = 8_000;

export async function lookAt(
  plan: Plan,
  { protocolVersion, signal }: { protocolVersion: string | undefined; signal: AbortSignal },
  before: Look | undefined,
): Promise<Look> {
  let stderr = "";
  const recorder = new Recorder({
    label: targetLabel(plan.target),
    secrets: secretsOf(plan.target),
    onEntry: (entry) => {
      if (entry.kind === "stderr") stderr = `${stderr}${entry.text}`.slice(-keptStderr);
      // It may be started more than once, in another way each time; the last one tells.
      if (entry.kind === "note" && entry.note === "spawned") stderr = "";
    },
  });
  const report = await doctor(plan.target, {
    timeoutMs: plan.timeoutMs,
    signal,
    recorder,
    protocolVersion,
    capabilities: plan.capabilities,
    clientInfo: { name: "fettle", version },
    held: plan.held,
    authorize: plan.renewal && authorizeFrom(plan.renewal, plan.target, protocolVersion, recorder),
  });
  const surface =
    report.connection.status === "connected" ? seenOf(report, before?.surface) : before?.surface;
  return { report, stderr, ...(surface && { surface }) };
}

/** A list that could not be read is as it was: nothing of it is known to be gone. */
function seenOf(report: DoctorReport, before: Surface | undefined): Surface {
  const { capabilities, initInfo, checks, ...lists } = report;
  const seen = surfaceOf({
    capabilities: capabilities ?? {},
    instructions: initInfo?.instructions,
    ...lists,
  });
  for (const section of ["tools", "prompts", "resources", "resourceTemplates"] as const) {
    // One that was read may be faulted for what it holds.
    if (checks[section].status !== "error" || lists[section].length > 0) continue;
    delete seen[section];
    if (before?.[section]) seen[section] = before[section];
  }
  return seen;
}

export function differenceOf(before: Look, after: Look): Difference {
  const isIn = (findings: readonly DoctorFinding[]) => {
    const known = new Set(findings.map(nameOf));
    return (finding: DoctorFinding) => known.has(nameOf(finding));
  };
  const [wasFound, isFound] = [isIn(before.report.findings), isIn(after.report.findings)];
  return {
    changes: before.surface && after.surface ? reportDiff(before.surface, after.surface, "none").changes : [],
    checks: doctorChecks.flatMap((check) => {
      const [was, is] = [before.report.checks[check], after.report.checks[check]];
      return was.status === is.status
        ? []
        : [{ check, before: was.status, after: is.status, detail: is.detail }];
    }),
    found: after.report.findings.filter((finding) => !wasFound(finding)),
    mended: before.report.findings.filter((finding) => !isFound(finding)),
  };
}

const nameOf = ({ check, code, summary }: DoctorFinding) => `${check} ${code} ${summary}`;
