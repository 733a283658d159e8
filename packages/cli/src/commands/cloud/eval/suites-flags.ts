/** @module What the commands of `cloud eval suites` take. */
import { flags } from "../../../program/flag.ts";
import { platformFlags } from "../../../program/shared-flags.ts";

export const suite = { parameter: "suiteId", find: "suite", value: "id-or-name", help: "The suite" } as const;

export const exportFlags = flags({
  suite: { kind: "text", value: "id-or-name", required: true, help: "The suite" },
  out: { kind: "text", value: "path", defaultNote: ".fettle/evals/<id>.yaml", help: "The file to write" },
  force: { kind: "boolean", help: "Replace a file that is there" },
  ...platformFlags,
});
