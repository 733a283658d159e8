/**
 * @module What each provider takes of a tool's description and JSON Schema. One tool that a provider refuses fails the whole
 * request, so tools are adapted before they are sent.
 */

export interface ToolDialect {
  /** Keywords that may not stand at the top of a tool's schema. */
  notAtTop: ReadonlySet<string>;
  /** The keywords it understands; absent: all. */
  keywords?: ReadonlySet<string>;
  /** An object must list its properties and an array must describe its items. */
  isExplicit?: true;
  /** Keys of properties that it takes; absent: any. */
  propertyName?: RegExp;
  /** Longest description of a tool, in characters. */
  descriptionLength?: number;
}

const combinators = ["anyOf", "oneOf", "allOf"];

/** Adds what every provider takes and some need. For wires that say no more about what they refuse. */
export const plainDialect: ToolDialect = { notAtTop: new Set(), isExplicit: true };

/**
 * Read on 2026-11-19 in the refusals that users report: "schema must have type 'object' and not have
 * 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level" (github.com/goruck/home-generative-agent/pull/545),
 * "object schema missing properties" (github.com/spring-projects/spring-ai/issues/4776), "array schema missing items"
 * (github.com/streamnative/streamnative-mcp-server/issues/26). The description's length is in its API reference.
 */
export const openAiDialect: ToolDialect = {
  notAtTop: new Set([...combinators, "enum", "const", "not"]),
  isExplicit: true,
  descriptionLength: 1_024,
};

/**
 * Read on 2026-11-19: platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes says that references, combinators at
 * the top, and property names beyond 64 letters, digits, underscores, dots and hyphens are refused.
 */
export const anthropicDialect: ToolDialect = {
  notAtTop: new Set(combinators),
  propertyName: /^[a-zA-Z0-9_.-]{1,64}$/,
};

/**
 * Read on 2026-11-19 at pub.dev/documentation/googleapis/15.0.0/aiplatform_v1/GoogleCloudAiplatformV1GenerationConfig/responseJsonSchema:
 * the keywords of JSON Schema that Google understands, with `enum` for texts and numbers alone. That others fail a request is
 * told of function declarations (github.com/pizza-bot-app/pizza-bot/issues/62).
 */
export const googleDialect: ToolDialect = {
  notAtTop: new Set(combinators),
  isExplicit: true,
  keywords: new Set([
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "properties",
    "additionalProperties",
    "required",
  ]),
};

/** A router passes tools on to providers of every kind, so each must find what it takes. */
export const routedDialect: ToolDialect = {
  ...openAiDialect,
  ...anthropicDialect,
  notAtTop: openAiDialect.notAtTop,
};
