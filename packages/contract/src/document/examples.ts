/**
 * @module A real call of each operation and its answer, recorded from the sample project by `npm run record-examples`. Ids, times and
 * whatever else differs from recording to recording stand as constants.
 */
import agent from "../../examples/agent.json" with { type: "json" };
import catalog from "../../examples/catalog.json" with { type: "json" };
import clients from "../../examples/clients.json" with { type: "json" };
import conformanceRuns from "../../examples/conformance-runs.json" with { type: "json" };
import directoryReadiness from "../../examples/directory-readiness.json" with { type: "json" };
import environments from "../../examples/environments.json" with { type: "json" };
import evalRuns from "../../examples/eval-runs.json" with { type: "json" };
import execution from "../../examples/execution.json" with { type: "json" };
import exported from "../../examples/export.json" with { type: "json" };
import notices from "../../examples/notices.json" with { type: "json" };
import oauth from "../../examples/oauth.json" with { type: "json" };
import plugins from "../../examples/plugins.json" with { type: "json" };
import primitives from "../../examples/primitives.json" with { type: "json" };
import registry from "../../examples/registry.json" with { type: "json" };
import sandboxImages from "../../examples/sandbox-images.json" with { type: "json" };
import scenarios from "../../examples/scenarios.json" with { type: "json" };
import serverConnections from "../../examples/server-connections.json" with { type: "json" };
import serverDiagnostics from "../../examples/server-diagnostics.json" with { type: "json" };
import serverHistory from "../../examples/server-history.json" with { type: "json" };
import setUpFile from "../../examples/set-up.json" with { type: "json" };
import skills from "../../examples/skills.json" with { type: "json" };
import swarmInsights from "../../examples/swarm-insights.json" with { type: "json" };
import swarmRuns from "../../examples/swarm-runs.json" with { type: "json" };
import swarms from "../../examples/swarms.json" with { type: "json" };
import tunnels from "../../examples/tunnels.json" with { type: "json" };
import userTesting from "../../examples/user-testing.json" with { type: "json" };
import { must } from "../formats/must.ts";

/** `$NAME` in it stands for what an earlier call gave. */
export interface ExampleCall {
  method: string;
  /** Below the API's base, its query included. */
  path: string;
  body?: unknown;
  /** The variable that takes the first value of `field` in the answer. */
  set?: string;
  field?: string;
  /** Of a list: the item of this name, where there is one, instead of the first. */
  called?: string;
}

export interface OperationExample {
  request: ExampleCall;
  /** What makes the things that the call is made on. */
  first?: readonly ExampleCall[];
  /** What the service needs for it that it does not have by itself. */
  needs?: string;
  /** It cancels what goes on by itself, and may come too late. */
  races?: boolean;
  /** A digest of which fields the whole answer had: while it is the same, the example stays as it was recorded. */
  shape: string;
  answer: unknown;
}

export const operationExamples: Record<string, OperationExample> = {
  ...clients,
  ...environments,
  ...plugins,
  ...skills,
  ...sandboxImages,
  ...serverDiagnostics,
  ...primitives,
  ...exported,
  ...execution,
  ...evalRuns,
  ...conformanceRuns,
  ...serverConnections,
  ...oauth,
  ...scenarios,
  ...catalog,
  ...tunnels,
  ...agent,
  ...swarms,
  ...swarmRuns,
  ...swarmInsights,
  ...userTesting,
  ...directoryReadiness,
  ...registry,
  ...serverHistory,
  ...notices,
};

/** What every example counts on: looks up what the sample project has, and makes what it has not. */
export const setUp: readonly ExampleCall[] = setUpFile.calls;

/** What each variable stands for in the recorded answers. */
const variables: Record<string, string | number> = setUpFile.variables;

/** In a call, the place of a variable. */
export const variablePlace = /\$([A-Z][A-Z_]*)/g;

/** Those that stand for a number, and not in quotes. */
export const isNumeric = (name: string): boolean => typeof variables[name] === "number";

/** What a call says, with what its variables stand for. */
export function filledIn(value: string): string;
export function filledIn(value: unknown): unknown;
export function filledIn(value: unknown): unknown {
  if (typeof value === "string") {
    const known = (name: string) => must(variables[name], `an example value for ${name}`);
    if (/^\$[A-Z_]+$/.test(value)) return known(value.slice(1));
    return value.replaceAll(variablePlace, (_, name: string) => String(known(name)));
  }
  if (Array.isArray(value)) return value.map(filledIn);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filledIn(inner)]));
}
