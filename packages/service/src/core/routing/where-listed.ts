/** @module What to do about a 404: which operation lists the things that a path names one of, as the contract declares it. */
import type { OperationSummary } from "@fettle/contract/core";
import { operationTable } from "@fettle/contract/operations";

const declared: readonly OperationSummary[] = Object.values(operationTable);
const lists = new Map(
  declared.filter((one) => one.method === "GET" && one.built && one.lists).map((one) => [one.path, one]),
);

export interface WhereListed {
  hint: string;
  listedBy: string;
}

/**
 * The same whatever the id was, so that nobody learns of what is elsewhere. Undefined: nothing lists them.
 *
 * @example
 * whereListed(operations.getProjectServer)
 * // { hint: "See what there is with `fettle cloud projects servers list`.", listedBy: "GET /api/v1/projects/{projectId}/servers" }
 */
export function whereListed({ path, surface }: OperationSummary): WhereListed | undefined {
  const [, around] = /^(.*)\/\{\w+\}/.exec(path) ?? [];
  const list = around === undefined ? undefined : lists.get(around);
  // What only the web app calls is shown there, by the page around it.
  if (!list || list.surface !== undefined || surface !== undefined) return undefined;
  return toldOf(list);
}

/** What a refusal says of an operation that lists such things. */
export function toldOf({ method, path, cli }: OperationSummary): WhereListed {
  const listedBy = `${method} /api/v1${path}`;
  return { hint: `See what there is with \`${cli ?? listedBy}\`.`, listedBy };
}
