/** @module What the commands of `explain` take. */
import type { ArgumentTable } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";

export const explainArguments = {
  check: { help: "Id of a check, as reports name it; without it, all are listed" },
} as const satisfies ArgumentTable;

export const explainFlags = flags({
  suite: {
    kind: "choice",
    choices: ["protocol", "apps", "tasks", "oauth"],
    value: "suite",
    help: "List only the checks of this suite",
  },
});
