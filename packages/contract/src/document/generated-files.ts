/** @module Every committed file that is made from the operations, by its path in `generated/`. */
import { operations } from "../operations/operations.ts";
import { apiDocument } from "./api-document.ts";
import { clientConfigSchemaSource } from "./client-config-schema.ts";
import { operationCommandsSource } from "./operation-commands.ts";
import { operationFieldsSource } from "./operation-fields.ts";
import { operationRoutesSource } from "./operation-routes.ts";
import { operationTableSource } from "./operation-table.ts";
import { inReadingOrder } from "./reading-order.ts";
import { routeTableMarkdown } from "./route-table.ts";

export function generatedFiles(): Record<string, string> {
  const all = inReadingOrder(Object.values(operations));
  return {
    "client-config-schema.ts": clientConfigSchemaSource(),
    "openapi.json": `${JSON.stringify(apiDocument(), null, 2)}\n`,
    "operation-fields.ts": operationFieldsSource(all),
    "operation-commands.ts": operationCommandsSource(all),
    "operation-table.ts": operationTableSource(all),
    "operation-routes.ts": operationRoutesSource(all),
    "routes.md": routeTableMarkdown(all),
  };
}
