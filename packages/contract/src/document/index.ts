export { errorCodesOf } from "./answers.ts";
export { apiDocument } from "./api-document.ts";
export { type ExampleCall, type OperationExample, operationExamples } from "./examples.ts";
export type { OpenApiDocument } from "./openapi.ts";
