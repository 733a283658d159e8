import { expect, test } from "vitest";
import type { OperationDeclaration } from "../core/operation.ts";
import { operations } from "../operations/operations.ts";
import { apiRoutes, appRoutes } from "./operation-routes.ts";

test("every built operation has its route, as it was declared", () => {
  const declared = Object.values<OperationDeclaration>(operations)
    .filter(({ built, raw }) => built && !raw)
    .map(({ id, method, path, idempotent }) => [id, `${method} ${path}${idempotent ? " idempotent" : ""}`]);
  expect({ ...apiRoutes, ...appRoutes }).toEqual(Object.fromEntries(declared));
});
