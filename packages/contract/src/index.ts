export { ApiError, type ErrorBody, type ErrorCode, errorStatus } from "./errors.ts";
export {
  type Access,
  access,
  type BodyInputOf,
  type BodyOf,
  type Method,
  type OperationDeclaration,
  type OutputOf,
  operation,
  type ParametersOf,
  type ProjectRole,
  type QueryOf,
  type Surface,
} from "./operation.ts";
export { type OperationId, type Operations, operations } from "./operations.ts";
