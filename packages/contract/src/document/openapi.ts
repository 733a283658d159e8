/** @module The OpenAPI 3.1 document, made from the operations. */
import type { z } from "zod";
import { ErrorResponse } from "../core/error-response.ts";
import { type ErrorCode, errorStatus } from "../core/errors.ts";
import { keysOf } from "../core/known.ts";
import { limits } from "../core/limits/limits.ts";
import type { OperationDeclaration } from "../core/operation.ts";
import { answersRevision, expectedFieldOf } from "../core/revision.ts";
import { tags } from "../core/tags.ts";
import { must } from "../formats/must.ts";
import { accessWords } from "./access-words.ts";
import { bodyRefusals, errorCodesOf, errorStatusesOf, staleStatus, unchangedStatus } from "./answers.ts";
import { errorMeanings } from "./error-meanings.ts";
import { filledIn, type OperationExample } from "./examples.ts";
import { componentPrefix, type JsonSchema, toJsonSchema } from "./json-schema.ts";
import { inReadingOrder } from "./reading-order.ts";

interface Reference {
  $ref: string;
}

interface Content {
  "application/json": { schema: JsonSchema; example?: unknown };
}

interface EventContent {
  "text/event-stream": { schema: JsonSchema; examples?: Record<string, { value: unknown }> };
}

export interface OpenApiResponse {
  description: string;
  headers?: Record<string, Reference>;
  content: Content | EventContent;
}

export interface OpenApiParameter {
  name: string;
  in: "path" | "query";
  required?: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface OpenApiOperation {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  deprecated?: true;
  parameters?: (OpenApiParameter | Reference)[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, OpenApiResponse | Reference>;
  "x-fettle-access": string;
  "x-fettle-elevated"?: string;
  "x-fettle-spends"?: true | "opt_in";
  "x-fettle-narrows"?: true;
  "x-fettle-built": boolean;
  "x-fettle-cli"?: string;
  "x-fettle-aliases"?: readonly string[];
  "x-fettle-error-codes": ErrorCode[];
}

export interface OpenApiDocument {
  openapi: "3.1.0";
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, unknown>;
    parameters: Record<string, unknown>;
    headers: Record<string, unknown>;
    securitySchemes: Record<string, unknown>;
  };
}

const description = `Fettle looks at MCP servers live, runs evals, user tests and swarms over them, and grades them.

The API is in preview: it may change, fields may be added, and clients ignore those they do not know. An operation that is not built yet answers 422 \`FEATURE_NOT_SUPPORTED\` with \`details.reason: "not_built"\`.

Authenticate with \`Authorization: Bearer sk_…\`, an API key made in the app, or with the token of \`fettle cloud login\`. A key may make ${limits.rate.key.perMinute} calls a minute with bursts of ${limits.rate.key.burst}; beyond that the answer is 429 with \`Retry-After\` in seconds.

Timestamps are integer epoch milliseconds. Lists are \`{items, nextCursor?}\`. Errors are \`{code, message, details?}\`; decide by \`code\`, never by \`message\`. Another project's id reads as 404.`;

/**
 * Describes the public API. Operations of the pages' own surface are left out.
 *
 * @example
 * reply.send(openApiDocument({ operations: Object.values(operations), resources: [Environment] }));
 */
export function openApiDocument(contract: {
  operations: readonly OperationDeclaration[];
  /** Named schemas to show although no operation refers to them yet. */
  resources: readonly z.ZodType[];
  /** By the id of the operation. */
  examples?: Record<string, OperationExample>;
}): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {};
  for (const resource of [ErrorResponse, ...contract.resources]) toJsonSchema(resource, schemas);
  const paths: OpenApiDocument["paths"] = {};
  for (const operation of inReadingOrder(contract.operations)) {
    if (operation.surface === "app") continue;
    const methods = paths[operation.path] ?? {};
    methods[operation.method.toLowerCase()] = describeOperation(
      operation,
      schemas,
      contract.examples?.[operation.id],
    );
    paths[operation.path] = methods;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Fettle API",
      version: "1.0.0-preview",
      description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/api/v1" }],
    security: [{ bearer: [] }],
    tags: tags.map((tag) => ({ ...tag })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      responses: errorResponses(),
      parameters: {
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          description:
            "The same key and body again gives the first answer again, for 24 hours; another body is refused",
          schema: { type: "string", minLength: 1, maxLength: limits.idempotency.maxKeyLength },
        },
        IfNoneMatch: {
          name: "If-None-Match",
          in: "header",
          description: "The `ETag` of an earlier answer: 304 if nothing has changed since",
          schema: { type: "string" },
        },
        IfMatch: {
          name: "If-Match",
          in: "header",
          description:
            "The `ETag` last read: 412 if someone else has changed the resource since. `*` stands for any",
          schema: { type: "string" },
        },
      },
      headers: {
        RetryAfter: {
          description: "Whole seconds to wait",
          required: true,
          schema: { type: "integer", minimum: 1 },
        },
        ETag: {
          description: "Names this state of the resource, for `If-None-Match` and `If-Match`",
          schema: { type: "string" },
          example: 'W/"1767225600000.Oaxn0clYrAuIjzGiBqG5mCnHFNRWL3B2Ewse2rGQCEE"',
        },
        Deprecation: {
          description: "Always `true`: move to the successor",
          schema: { type: "string", const: "true" },
        },
      },
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API key, `sk_…`" } },
    },
  };
}

function describeOperation(
  operation: OperationDeclaration,
  schemas: Record<string, JsonSchema>,
  example: OperationExample | undefined,
): OpenApiOperation {
  const asked = filledIn(example?.request.path ?? "").split("?");
  const parameters = [
    ...pathParameters(operation.path, asked[0]),
    ...queryParameters(operation.query, schemas, new URLSearchParams(asked[1])),
    ...(operation.idempotent ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(isTagged(operation) ? [{ $ref: "#/components/parameters/IfNoneMatch" }] : []),
    ...(expectedFieldOf(operation) ? [{ $ref: "#/components/parameters/IfMatch" }] : []),
  ];
  const statuses = [
    ...(isTagged(operation) ? [unchangedStatus] : []),
    ...(expectedFieldOf(operation) ? [staleStatus] : []),
    ...errorStatusesOf(operation),
  ];
  const body = operation.body && toJsonSchema(operation.body, schemas);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.deprecated && { deprecated: true as const }),
    ...describe(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: needsBody(body, schemas),
        content: json(body, filledIn(example?.request.body)),
      },
    }),
    responses: {
      [operation.status ?? 200]: success(operation, schemas, example?.answer),
      ...(operation.makes && { 201: success(operation, schemas, example?.answer) }),
      ...Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/Status${status}` }]),
      ),
      ...ownRefusals(operation, schemas),
    },
    "x-fettle-access": accessWords(operation.access),
    ...(operation.elevated && { "x-fettle-elevated": operation.elevated }),
    ...(operation.spends && { "x-fettle-spends": operation.spends }),
    ...(operation.narrows && { "x-fettle-narrows": true as const }),
    "x-fettle-built": operation.built === true,
    ...(operation.cli && { "x-fettle-cli": operation.cli }),
    ...(operation.aliases && { "x-fettle-aliases": operation.aliases }),
    "x-fettle-error-codes": errorCodesOf(operation),
  };
}

/** Its answer carries an `ETag`. */
const isTagged = (operation: OperationDeclaration) => operation.kept === true || answersRevision(operation);

function describe({ description, deprecated }: OperationDeclaration): { description?: string } {
  const sentences = [description, deprecated && `Deprecated: use \`${deprecated.successor}\`.`].filter(
    Boolean,
  );
  return sentences.length > 0 ? { description: sentences.join(" ") } : {};
}

function success(
  operation: OperationDeclaration,
  schemas: Record<string, JsonSchema>,
  answer: unknown,
): OpenApiResponse {
  const { output, events, deprecated } = operation;
  const headers = [...(deprecated ? ["Deprecation"] : []), ...(isTagged(operation) ? ["ETag"] : [])];
  return {
    description: events
      ? eventWords(events)
      : output
        ? "Done"
        : "Done; the fields are described once it is built",
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    }),
    content: events
      ? { "text/event-stream": { schema: eventSchema(events, schemas), ...eventExamples(answer) } }
      : json(output ? toJsonSchema(output, schemas) : { type: "object", additionalProperties: true }, answer),
  };
}

/** Generators type what an event says by this; which event says what, the description tells. */
function eventSchema(events: Record<string, z.ZodType>, schemas: Record<string, JsonSchema>): JsonSchema {
  return { anyOf: Object.values(events).map((event) => toJsonSchema(event, schemas)) };
}

/** One of each event, by its name. */
function eventExamples(answer: unknown): { examples?: Record<string, { value: unknown }> } {
  if (typeof answer !== "object" || answer === null) return {};
  return {
    examples: Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, { value }])),
  };
}

function eventWords(events: Record<string, z.ZodType>): string {
  const words = Object.entries(events).map(([name, event]) => {
    const { id, description } = event.meta() ?? {};
    return `\`${name}\` (\`${id}\`): ${description}.`;
  });
  return `Server-sent events; the data of each is JSON. ${words.join(" ")}`;
}

/** A refusal that says more than others do has a response of its own. */
function ownRefusals(
  { refusals = {} }: OperationDeclaration,
  schemas: Record<string, JsonSchema>,
): Record<string, OpenApiResponse> {
  const own = keysOf(refusals).map((code) => {
    const content = json(toJsonSchema(must(refusals[code], "a schema for the code"), schemas));
    return [errorStatus[code], { description: `\`${code}\`: ${errorMeanings[code]}`, content }];
  });
  return Object.fromEntries(own);
}

function pathParameters(path: string, asked: string | undefined): OpenApiParameter[] {
  const values = asked?.split("/") ?? [];
  return path.split("/").flatMap((part, index): OpenApiParameter[] => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const example = values[index];
    return name === undefined
      ? []
      : [{ name, in: "path", required: true, schema: { type: "string" }, ...(example && { example }) }];
  });
}

function queryParameters(
  query: z.ZodType | undefined,
  schemas: Record<string, JsonSchema>,
  asked: URLSearchParams,
): OpenApiParameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = toJsonSchema(query, schemas);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(required.includes(name) && { required: true }),
    ...(description && { description }),
    schema,
    ...(asked.has(name) && { example: asked.get(name) }),
  }));
}

/** An empty body counts as `{}`, so a body is needed only when one of its fields is. */
function needsBody(body: JsonSchema, schemas: Record<string, JsonSchema>): boolean {
  const resolved = body.$ref ? schemas[body.$ref.slice(componentPrefix.length)] : body;
  return (resolved?.required ?? []).length > 0;
}

const staleExample = {
  code: "CONFLICT",
  message: "The server was changed by someone else. Reload and try again.",
  details: { code: "SERVER_CHANGED", currentUpdatedAt: 1_767_225_600_000 },
};
const errorContent = json({ $ref: "#/components/schemas/Error" });

function errorResponses(): Record<string, unknown> {
  const statuses = [...new Set(Object.values(errorStatus))].sort((a, b) => a - b);
  const refusals = Object.entries(bodyRefusals).map(([status, meaning]) => [
    `Status${status}`,
    { description: `\`VALIDATION_ERROR\`: ${meaning}`, content: errorContent },
  ]);
  return Object.fromEntries([
    [
      `Status${unchangedStatus}`,
      {
        description: "Unchanged since the answer that `If-None-Match` names; without a body.",
        headers: { ETag: { $ref: "#/components/headers/ETag" } },
      },
    ],
    [
      `Status${staleStatus}`,
      {
        description: "`CONFLICT`: someone else changed it since the answer that `If-Match` names.",
        content: json({ $ref: "#/components/schemas/Error" }, staleExample),
      },
    ],
    ...refusals,
    ...statuses.map((status) => {
      const codes = keysOf(errorStatus).filter((code) => errorStatus[code] === status);
      const response = {
        description: codes.map((code) => `\`${code}\`: ${errorMeanings[code]}`).join(" "),
        ...((status === errorStatus.RATE_LIMITED || status === errorStatus.UNAVAILABLE) && {
          headers: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } },
        }),
        content: errorContent,
      };
      return [`Status${status}`, response];
    }),
  ]);
}

function json(schema: JsonSchema, example?: unknown): Content {
  return { "application/json": { schema, ...(example !== undefined && { example }) } };
}
