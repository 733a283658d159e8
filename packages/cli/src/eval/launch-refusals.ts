/** @module What to do about a launch that is refused: every refusal of a file, of a case or of the service leads on. */
import { ApiError, exitCodes } from "@fettle/contract/core";
import type { SuiteRefusal } from "@fettle/contract/evals";
import { CliError, toCliError } from "../cli-error.ts";
import { shellWords } from "../output/shell-words.ts";
import { unknownName } from "../program/near-names.ts";
import type { Composed } from "./compose.ts";

const runHere = "Take it out of the file, or run the file here with `fettle eval run`.";

/** By the code of a valid file that is not run. */
const fileHints: Readonly<Record<SuiteRefusal, string>> = {
  NO_ENABLED_CASES: "Enable a case: take `disabled: true` out of it.",
  CASE_NOT_FOUND: "Name a case by its id in the file, or by a title that one case alone has.",
  CASE_DISABLED: "Take `disabled: true` out of the case, or leave it out of --case.",
  REPETITIONS_CAP: "Ask for fewer repetitions in the file, or run it here with `fettle eval run`.",
  PASS_THRESHOLD_OVERRIDE_UNSUPPORTED: runHere,
  TOOL_POLICY_UNSUPPORTED: runHere,
  VALIDITY_UNSUPPORTED: runHere,
  APPROXIMATION_NOT_APPROVED:
    "Approve it for this run with --allow-approximated and --approval-reason, or disable it.",
  APPROVAL_NOT_APPLICABLE: "Name only selected approximations with --allow-approximated.",
  IMPORT_UNSUPPORTED: "Disable the case, or write it anew without its import block.",
  IMPORT_UNRESOLVED: "Disable the case, or write it anew without its import block.",
  WIDGET_RUNTIME_UNAVAILABLE: "Disable the case, or take the steps that look at widgets out of it.",
};

const isRefusal = (code: string): code is SuiteRefusal => code in fileHints;

/** Nothing was written: exit 2. `more` is what this refusal alone knows. */
export function fileRefusal(
  code: string,
  message: string,
  details: object,
  more: { hint?: string; choices?: string[]; nextCommand?: string } = {},
): CliError {
  const known = isRefusal(code) && { hint: fileHints[code] };
  return new CliError(code, message, { details, exitCode: exitCodes.usage, ...known, ...more });
}

/** All that is wrong with a file, in a command that can be pasted; what came through stdin is gone. */
export function validating(file: string, ...more: string[]) {
  return file === "<stdin>" || file === "-"
    ? {
        hint: "Save it to a file, and see everything that is wrong with `fettle cloud eval validate --help`.",
      }
    : {
        hint: `See everything that is wrong with it: \`${shellWords(["fettle", "cloud", "eval", "validate", "--file", file, ...more])}\`.`,
      };
}

interface KnownCase {
  id: string;
  declaredId?: string;
  title: string;
}

/** Of a case of a suite that is named on the command line. */
export function caseRefusal(
  word: string,
  { isDisabled, items, suiteId }: { isDisabled: boolean; items: readonly KnownCase[]; suiteId: string },
): CliError {
  const inSuite = ["--suite", suiteId];
  if (isDisabled) {
    return new CliError("CASE_DISABLED", `"${word}" is disabled.`, {
      exitCode: exitCodes.usage,
      hint: "Enable it, or leave it out of --case",
      nextCommand: shellWords([
        ...["fettle", "cloud", "eval", "cases", "update", ...inSuite],
        ...["--case", word, "--json", '{"disabled":false}'],
      ]),
    });
  }
  const known = [...items.map(({ title }) => title), ...items.map(({ declaredId, id }) => declaredId ?? id)];
  return new CliError("CASE_NOT_FOUND", `The suite has no case with the id or title "${word}".`, {
    exitCode: exitCodes.usage,
    ...unknownName(word, known, "Name one of these, or a title that one case alone has."),
  });
}

interface Choice {
  environmentId?: string;
  namedHostId?: string;
  name: string | null;
}

/** By `details.code`: what can be done on the command line about a launch that the service refuses. */
const serviceHints: Readonly<Record<string, string>> = {
  TARGET_REQUIRED:
    "Name one with --environment or --host, several by repeating it, or all with --all-targets.",
  ENVIRONMENT_NOT_ATTACHED: "Attach it with `fettle cloud eval environments set`, which names all of them.",
  HOST_NOT_ATTACHED: "Attach it with `fettle cloud eval update`, whose --host names all of them.",
  ENVIRONMENT_SERVERS_NOT_OVERRIDABLE: "Leave --server out, or detach the environments.",
  NO_SAVED_SERVER_SELECTION: "Name servers with --server, or save some with `fettle cloud eval update`.",
  NO_ENABLED_CASES: "Enable a case with `fettle cloud eval cases update`, or add one.",
  APPROXIMATION_NOT_APPROVED:
    "Run the file that owns the suite, with --allow-approximated and --approval-reason.",
};

/** The same refusal with its own name and a way on; what was composed on the way is told. */
export function launchRefusal(
  thrown: unknown,
  suite: { id: string },
  composed: Composed | undefined,
): CliError {
  const error = toCliError(thrown);
  const given = (error.details ?? {}) as { code?: unknown; targets?: Choice[] };
  const reason = String(given.code);
  const isTarget = reason === "TARGET_REQUIRED";
  const hint = serviceHints[reason];
  if (!composed && (!hint || !(thrown instanceof ApiError))) return error;
  const choices = given.targets?.map(({ environmentId, namedHostId, name }) => {
    const flag = environmentId === undefined ? "--host" : "--environment";
    return shellWords([flag, name ?? environmentId ?? namedHostId ?? ""]);
  });
  const shown = { hint: hint ?? error.hint, choices: isTarget ? choices : error.choices };
  return new CliError(isTarget ? reason : error.code, error.message, {
    details: { ...given, suiteId: suite.id, ...(composed && { composed }) },
    cause: thrown,
    exitCode: error.exitCode,
    ...(shown.hint !== undefined && { hint: shown.hint }),
    ...(shown.choices && { choices: shown.choices }),
    ...(error.nextCommand !== undefined && { nextCommand: error.nextCommand }),
  });
}
