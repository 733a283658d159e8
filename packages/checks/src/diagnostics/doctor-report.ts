/** @module What the doctor says: a verdict on each step, and for each fault its cause, the evidence and what to try next. */
import type { CauseCode, JsonObject, Prompt, Resource, ResourceTemplate, Tool } from "@fettle/mcp";
import type { Severity } from "../wire/wire-rules.ts";
import type { InitInfo } from "./init-info.ts";
import type { ProbeReport } from "./probe-report.ts";
import type { DoctorTarget } from "./target-facts.ts";

export const doctorChecks = [
  "probe",
  "connection",
  "initialization",
  "capabilities",
  "tools",
  "resources",
  "resourceTemplates",
  "prompts",
] as const;
export type DoctorCheckName = (typeof doctorChecks)[number];

export interface DoctorCheck {
  status: "ok" | "error" | "skipped";
  detail: string;
  /** Absent when the step was not taken. */
  durationMs?: number;
}

export type DoctorFindingCode =
  | CauseCode
  | "BAD_SCHEMA"
  | "LIST_CUT_SHORT"
  | "MALFORMED_ITEM"
  | "NOT_ADVERTISED"
  | "PROBE_DISAGREES"
  | "SERVER_WITHOUT_NAME"
  | "TOOL_NAME_REFUSED"
  | "WIRE_RULE_BROKEN";

export interface DoctorFinding {
  check: DoctorCheckName;
  /** Only an error changes the status. Advice breaks no rule that binds. */
  severity: Severity;
  code: DoctorFindingCode;
  /** One sentence: what is wrong. */
  summary: string;
  /** What was seen, free of interpretation. */
  evidence: Record<string, unknown>;
  next: {
    text: string;
    /** A whole command line, program first, when one helps. */
    command?: string[];
  };
}

export type DoctorStatus = "ready" | "oauth_required" | "partial" | "error";

export interface DoctorReport {
  target: DoctorTarget;
  /** ISO 8601. */
  generatedAt: string;
  status: DoctorStatus;
  /** Null for stdio. */
  probe: ProbeReport | null;
  connection: { status: "connected" | "error" | "skipped"; detail: string };
  initInfo: InitInfo | null;
  capabilities: JsonObject | null;
  tools: Tool[];
  toolsMetadata: Record<string, JsonObject>;
  resources: Resource[];
  resourceTemplates: ResourceTemplate[];
  prompts: Prompt[];
  checks: Record<DoctorCheckName, DoctorCheck>;
  /** Worst first. */
  findings: DoctorFinding[];
  error: { code: string; message: string; details?: Record<string, unknown> } | null;
}
