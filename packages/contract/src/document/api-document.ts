/** @module The document of the API as this release has it. */
import { operations } from "../operations.ts";
import { Client, ClientDetail } from "../resources/client.ts";
import { AdhocEnvironment, Environment } from "../resources/environment.ts";
import { EvalTestCase } from "../resources/evals/test-case.ts";
import { type OpenApiDocument, openApiDocument } from "./openapi.ts";

export function apiDocument(): OpenApiDocument {
  return openApiDocument({
    operations: Object.values(operations),
    resources: [Client, ClientDetail, Environment, AdhocEnvironment, EvalTestCase],
  });
}
