export { operationTable } from "../../generated/operation-table.ts";
export { loadOperation } from "./load-operation.ts";
export { type OperationId, type Operations, operations } from "./operations.ts";
