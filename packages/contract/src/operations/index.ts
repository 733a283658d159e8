export { type OperationId, type Operations, operations } from "./operations.ts";
