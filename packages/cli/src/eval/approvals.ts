/** @module `--allow-approximated`: whether each case that it names can be approved at all, told before anything is written. */
import type { SuiteCase, SuiteFile } from "@fettle/evals";
import { fileRefusal } from "./launch-refusals.ts";

type Fault =
  | "UNKNOWN_CASE"
  | "NATIVE_CASE"
  | "EXACT_NEEDS_NO_APPROVAL"
  | "NOT_APPROVABLE"
  | "CASE_DISABLED"
  | "CASE_NOT_SELECTED";

const said: Record<Fault, string> = {
  UNKNOWN_CASE: "is no case of the file",
  NATIVE_CASE: "was not imported",
  EXACT_NEEDS_NO_APPROVAL: "was imported exactly and needs no approval",
  NOT_APPROVABLE: "could not be imported, which nobody can approve",
  CASE_DISABLED: "is disabled",
  CASE_NOT_SELECTED: "is not among the cases of --case",
};

/** `selected` are authored ids; absent: every enabled case. */
export function refuseApprovals(
  { cases }: SuiteFile,
  approved: readonly string[],
  selected: readonly string[] | undefined,
): void {
  const faults = approved.flatMap((id) => {
    const item = cases.find((one) => one.id === id);
    const code = faultOf(item, !selected || selected.includes(id) || selected.includes(item?.title ?? ""));
    return code ? [{ case: id, code, message: `"${id}" ${said[code]}.` }] : [];
  });
  const [first] = faults;
  if (!first) return;
  throw fileRefusal(
    "IMPORT_APPROVAL_INVALID",
    first.message,
    { approvals: faults },
    { hint: "Name only selected approximations with --allow-approximated, by their ids in the file." },
  );
}

function faultOf(item: SuiteCase | undefined, isSelected: boolean): Fault | undefined {
  if (!item) return "UNKNOWN_CASE";
  if (!item.import) return "NATIVE_CASE";
  if (item.import.status === "exact") return "EXACT_NEEDS_NO_APPROVAL";
  if (item.import.status !== "approximated") return "NOT_APPROVABLE";
  if (item.disabled === true) return "CASE_DISABLED";
  return isSelected ? undefined : "CASE_NOT_SELECTED";
}
