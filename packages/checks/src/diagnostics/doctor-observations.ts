/** @module Everything the doctor saw, as plain data: what its verdict is made from, and can be made from again. */
import type {
  JsonObject,
  ListProblem,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  WireProblem,
} from "@fettle/mcp";
import type { InitInfo } from "./init-info.ts";
import type { ObservedFailure } from "./observed-failure.ts";
import type { ProbeReport } from "./probe-report.ts";
import type { DoctorTarget } from "./target-facts.ts";

export const listNames = ["tools", "resources", "resourceTemplates", "prompts"] as const;
export type ListName = (typeof listNames)[number];

export type ObservedConnection =
  | { kind: "connected"; durationMs: number; initInfo: InitInfo; problems: WireProblem[] }
  | { kind: "failed"; durationMs: number; failure: ObservedFailure }
  /** The probe's failure leaves nothing to try. */
  | { kind: "pointless"; failure: ObservedFailure }
  | { kind: "locked" };

export type ObservedList<T = JsonObject> =
  | {
      kind: "listed";
      durationMs: number;
      items: T[];
      problems: ListProblem[];
      pages: number;
      truncatedBecause?: string;
    }
  | { kind: "failed"; durationMs: number; failure: ObservedFailure };

export interface ObservedLists {
  tools: ObservedList<Tool>;
  resources: ObservedList<Resource>;
  resourceTemplates: ObservedList<ResourceTemplate>;
  prompts: ObservedList<Prompt>;
}

export interface DoctorObservations {
  target: DoctorTarget;
  /** ISO 8601. */
  at: string;
  timeoutMs: number;
  /** Null for stdio. */
  probe: {
    report: ProbeReport;
    failure?: ObservedFailure;
    durationMs: number;
    /** Given to a client that only looked. */
    sessionId?: string;
  } | null;
  connection: ObservedConnection;
  /** Absent when there was no connection to list over. */
  lists?: ObservedLists;
  /** Other addresses on the same origin that answer as MCP does; looked for when this one does not. */
  endpoints: string[];
}
