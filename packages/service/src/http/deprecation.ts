/** @module How a deprecated operation points at its successor. */
import { addressPart } from "@fettle/contract/formats";
import { type OperationId, operationTable } from "@fettle/contract/operations";
import { operationRoutes, pathOf } from "./route-table.ts";

/** Makes the `Link` header: the successor's own address with this call's ids, which stand in the same order in both paths. */
export function successorLink(successor: string): (params: Record<string, string>) => string {
  const path = pathOf(operationTable[successor as OperationId]);
  return (params) => {
    const values = Object.values(params);
    const address = path.replaceAll(/\{\w+\}/g, () => addressPart(values.shift() ?? ""));
    return `<${address}>; rel="successor-version"`;
  };
}

/** Whatever stands at or below the address of a deprecated operation, known or not. */
export function isDeprecatedPath(url: string): boolean {
  return deprecatedPaths.some((pattern) => pattern.test(url));
}

const deprecatedPaths = [
  ...new Set(operationRoutes.filter(({ deprecated }) => deprecated).map((operation) => pathOf(operation))),
].map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?]+")}(?:[/?]|$)`));
