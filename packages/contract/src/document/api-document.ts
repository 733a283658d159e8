/** @module The document of the API as this release has it. */

import { Client, ClientDetail } from "../environments/client.ts";
import { AdhocEnvironment, Environment } from "../environments/environment.ts";
import { EvalTestCase } from "../evals/test-case.ts";
import { operations } from "../operations/operations.ts";
import { operationExamples } from "./examples.ts";
import { type OpenApiDocument, openApiDocument } from "./openapi.ts";

export function apiDocument(): OpenApiDocument {
  return openApiDocument({
    operations: Object.values(operations),
    examples: operationExamples,
    resources: [Client, ClientDetail, Environment, AdhocEnvironment, EvalTestCase],
  });
}
