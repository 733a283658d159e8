/** @module A suite file that is to be run in the service: read, refused for what the service cannot do, and looked up live, before anything is written. */
import { createHash } from "node:crypto";
import { groupBy, must, type Some } from "@fettle/contract/formats";
import { isCreateBody, type SuiteCase, type SuiteFile, selectCases } from "@fettle/evals";
import { type CliError, usageError } from "../cli-error.ts";
import { unknownName } from "../program/near-names.ts";
import type { World } from "../world.ts";
import { refuseApprovals } from "./approvals.ts";
import type { Chosen, Place } from "./hosted-target.ts";
import { fileRefusal, validating } from "./launch-refusals.ts";
import { checkLiveReferences, type LiveFinding } from "./live-references.ts";
import { readSuiteInput } from "./suite-input.ts";

export interface FileWanted {
  file: string;
  cases: readonly string[];
  repetitions: number | undefined;
  approved: readonly string[];
}

export interface CheckedFile {
  /** As it was named. */
  file: string;
  suite: SuiteFile;
  sourceHash: string;
  /** Authored ids, where only some cases are wanted. */
  caseIds: string[] | undefined;
}

export async function readHostedFile(
  place: Place,
  world: Pick<World, "stdin" | "cwd">,
  wanted: FileWanted,
): Promise<CheckedFile> {
  const input = await readSuiteInput(wanted.file, world);
  if (!input.ok) {
    const { file, bytes, stage, findings } = input;
    if (bytes && isCreateBody(bytes)) {
      throw usageError(`${file} is a body for creating a suite; it has no schemaVersion.`, {
        hint: "Create the suite with `fettle cloud eval create --file`, then run it with --suite.",
      });
    }
    const [first] = findings;
    const where = first?.location ? ` at line ${first.location.line}` : "";
    throw fileRefusal(
      "SUITE_FILE_INVALID",
      `${file}${where}: ${[first?.pointer, first?.message].filter(Boolean).join(" ")}`,
      { valid: false, file, stage, findings },
      first?.code === "SUITE_FILE_UNREADABLE"
        ? { hint: "Look at the path; `fettle eval init` writes a first suite file." }
        : validating(file),
    );
  }
  const { suite, bytes } = input;
  const caseIds = wanted.cases.length === 0 ? undefined : await authoredIds(place, suite, wanted.cases);
  refuseApprovals(suite, wanted.approved, caseIds);
  const selection = selectCases(suite, {
    where: "hosted",
    ...(caseIds && { cases: caseIds }),
    ...(wanted.repetitions !== undefined && { repetitions: wanted.repetitions }),
    approved: wanted.approved,
  });
  if (!selection.ok) {
    const { refusals } = selection;
    const [{ code }] = refusals;
    const near = code === "CASE_NOT_FOUND" ? nearCases(suite, caseIds ?? []) : {};
    throw fileRefusal(code, refusals.map(({ message }) => message).join(" "), { refusals }, near);
  }
  return { file: wanted.file, suite, sourceHash: createHash("sha256").update(bytes).digest("hex"), caseIds };
}

/** The authored ids, those nearest to the first unknown word before the others. */
function nearCases(suite: SuiteFile, words: readonly string[]) {
  const unknown = words.find((word) => !isAuthored(suite, word)) ?? "";
  const known = suite.cases.map(({ id }) => id);
  return unknownName(unknown, known, "Name a case by its id in the file.");
}

const isAuthored = ({ cases }: SuiteFile, word: string) =>
  cases.some(({ id }) => id === word) || cases.filter(({ title }) => title === word).length === 1;

/** A word that the file does not know may be the id of a row that it owns. */
async function authoredIds(
  { client, projectId }: Place,
  suite: SuiteFile,
  words: readonly string[],
): Promise<string[]> {
  if (words.every((word) => isAuthored(suite, word))) return [...words];
  const { items } = await client.listEvalSuites({ projectId });
  const owned = items.find(({ declaredId }) => declaredId === suite.suite.id);
  const rows = owned ? (await client.listEvalCases({ projectId, suiteId: owned.id })).items : [];
  return words.map((word) =>
    isAuthored(suite, word) ? word : (rows.find(({ id }) => id === word)?.declaredId ?? word),
  );
}

/** Refuses selected cases whose own calls do not exist; answers the imported ones that are left out of this run. */
export async function requireLiveCalls(
  place: Place,
  { suite, file }: CheckedFile,
  words: readonly string[],
  chosen: Chosen,
): Promise<Set<string>> {
  const { findings } = await checkLiveReferences(place, suite, chosen);
  const isAny = words.length === 0 || words.some((word) => !isAuthored(suite, word));
  const isSelected = ({ id, title }: SuiteCase) => isAny || words.includes(id) || words.includes(title);
  const byCase = groupBy(findings, ({ path }) =>
    must(suite.cases[Number(path[1])], "the case of each finding"),
  );
  const [first, ...others] = [...byCase].filter(([item]) => isSelected(item));
  if (first) throw unresolved([first, ...others], file, place.projectId);
  return new Set([...byCase.keys()].filter((item) => item.import !== undefined).map(({ id }) => id));
}

function unresolved(broken: Some<[SuiteCase, Some<LiveFinding>]>, file: string, projectId: string): CliError {
  const [[item, [first]]] = broken;
  const findings = broken.flatMap(([, found]) => found);
  const uncheckable = findings.find(({ code }) => code === "TARGET_NOT_CHECKABLE");
  return fileRefusal(
    uncheckable ? "TOOL_DISCOVERY_UNAVAILABLE" : "IMPORT_REFERENCE_UNRESOLVED",
    `${item.id}: ${(uncheckable ?? first).message}`,
    {
      unresolved: broken.map(([{ id, title, import: block }, found]) => ({
        caseId: id,
        title,
        imported: block !== undefined,
        findings: found,
      })),
    },
    uncheckable
      ? { hint: "Name what to run against by --environment, --host or --server, whose servers are known." }
      : validating(file, "--project", projectId),
  );
}
