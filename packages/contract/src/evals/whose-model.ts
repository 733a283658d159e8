/** @module Who named the model of a run, in words: the same in the receipt of a launch, on the command line and on the run's page. */
import type { EvalRun } from "./run.ts";

/**
 * @example
 * whoseModel({ modelSource: "host", target: { kind: "host", name: "Claude Desktop" } }); // "client Claude Desktop"
 */
export function whoseModel({
  modelSource,
  target,
}: Pick<EvalRun, "modelSource"> & { target: Pick<EvalRun["target"], "kind" | "name"> }): string {
  switch (modelSource) {
    case "environment":
      return `environment ${target.name}`;
    case "host":
      return target.kind === "host" ? `client ${target.name}` : `the client of environment ${target.name}`;
    case "case":
      return "the cases";
    case "launch":
      return "the launch";
    case "reported":
      return "the report";
    case "suite":
    case null:
      return "the suite";
  }
}
