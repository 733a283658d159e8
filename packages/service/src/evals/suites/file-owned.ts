/** @module A suite that a file owns says what the file says: nobody changes it by hand, because the next run of the file would undo it in silence. */
import type { EvalSuiteUpdateRequest } from "@fettle/contract/evals";
import { refused } from "../../environments/targets/refuse.ts";
import type { SuiteRow } from "./store.ts";

export function refuseFileOwned({ id, origin }: Pick<SuiteRow, "id" | "origin">): void {
  if (origin !== "file") return;
  throw refused("CONFLICT", "FILE_OWNED_SUITE", undefined, {
    hint: `Change the file, and send it with \`fettle cloud eval run --file <path>\`. Where it is lost, \`fettle cloud eval export --suite ${id}\` writes it anew.`,
  });
}

/** Where a suite runs, who grades it and how it is found are nobody's to say in a file; the rest is. */
export function isOfFile({
  tags: _found,
  hosts: _as,
  environmentIds: _in,
  settings,
  ...said
}: EvalSuiteUpdateRequest): boolean {
  const { judge: _grades, ...judged } = settings ?? {};
  return Object.keys(said).length > 0 || Object.keys(judged).length > 0;
}
