/** @module What the commands of `cloud eval` take. */
import { flags } from "../../../program/flag.ts";

export const evalValidateFlags = flags({
  file: { kind: "text", value: "path", required: true, help: "The suite file, YAML or JSON; - for stdin" },
  project: {
    kind: "text",
    value: "id-or-name",
    help: "Also look whether the calls it makes itself exist in this project; without it, no network",
  },
});
