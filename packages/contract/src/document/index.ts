export { errorCodesOf } from "./answers.ts";
export { apiDocument } from "./api-document.ts";
export type { OpenApiDocument } from "./openapi.ts";
