import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { access, type OperationDeclaration, operation } from "../core/operation.ts";
import { tags } from "../core/tags.ts";
import { operations } from "../operations/operations.ts";
import { apiDocument } from "./api-document.ts";
import { operationExamples } from "./examples.ts";
import type { JsonSchema } from "./json-schema.ts";
import { type OpenApiOperation, openApiDocument } from "./openapi.ts";

const document = apiDocument();
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe("the document", () => {
  it("is valid OpenAPI 3.1 by an independent validator", async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  it("describes every API operation once, and none of the pages' own", () => {
    const api = Object.values(operations).filter((each) => !("surface" in each));
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(api.map(({ id }) => id).sort());
    expect(described.length).toBeGreaterThan(200);
  });

  it("lists the tags in the specification's order and uses no other", () => {
    expect(document.tags.map(({ name }) => name)).toEqual(tags.map(({ name }) => name));
    expect(new Set(described.map(({ tags: [tag] }) => tag))).toEqual(new Set(tags.map(({ name }) => name)));
  });

  it("refers only to what it holds", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path!,
    );
    const missing = references.filter(
      (path) =>
        path.split("/").reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document) ===
        undefined,
    );
    expect(references.length).toBeGreaterThan(1000);
    expect(missing).toEqual([]);
  });

  it("says which operations are built", () => {
    const built = described.filter((each) => each["x-fettle-built"]).map(({ operationId }) => operationId);
    expect(built).toEqual(expect.arrayContaining(["getMe", "listProjects", "createProject"]));
    // Nothing that the specification asks for is left out.
    expect(built).toHaveLength(described.length);
  });

  it("marks the older host paths as deprecated, with their header", () => {
    const deprecated = described.filter((each) => each.deprecated);
    expect(deprecated).toHaveLength(7);
    for (const { responses } of deprecated)
      expect(JSON.stringify(responses)).toContain("#/components/headers/Deprecation");
  });

  it("gives 429 an integer Retry-After", () => {
    expect(document.components.responses.Status429).toMatchObject({
      headers: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } },
    });
    expect(document.components.headers.RetryAfter).toMatchObject({ schema: { type: "integer" } });
  });

  it("says of every free-form object that it may have any field", () => {
    const bare: string[] = [];
    const walk = (node: unknown, path: string) => {
      if (typeof node !== "object" || node === null) return;
      const schema = node as JsonSchema;
      if (schema.type === "object" && !schema.properties && schema.additionalProperties === undefined)
        bare.push(path);
      for (const [key, inner] of Object.entries(node)) walk(inner, `${path}/${key}`);
    };
    walk(document, "");
    expect(bare).toEqual([]);
    expect(document.components.schemas.CallToolRequest?.properties?.parameters).toMatchObject({
      additionalProperties: true,
    });
  });

  it("describes the events of every stream", () => {
    const streams = described.flatMap(({ operationId, responses }) => {
      const answer = responses["200"];
      return answer && "content" in answer && "text/event-stream" in answer.content
        ? [{ operationId, ...answer }]
        : [];
    });
    const api: OperationDeclaration[] = Object.values(operations);
    const raw = api.filter((each) => each.raw && each.surface !== "app").map(({ id }) => id);
    expect(streams.map(({ operationId }) => operationId)).toEqual(raw);
    for (const { description, content } of streams) {
      expect(description).toContain("`turn` (`JourneyRunTurnEvent`): A visitor said something");
      expect(content).toMatchObject({
        "text/event-stream": {
          schema: { anyOf: expect.arrayContaining([{ $ref: "#/components/schemas/JourneyRunTurnEvent" }]) },
        },
      });
    }
  });

  it("says what a refused waiver is told of the one in force", () => {
    const { responses } = described.find(({ operationId }) => operationId === "createGateWaiver")!;
    expect(responses["409"]).toMatchObject({
      content: { "application/json": { schema: { $ref: "#/components/schemas/GateWaiverConflict" } } },
    });
    expect(document.components.schemas.GateWaiverConflict?.properties).toHaveProperty("waiver");
  });

  it("leaves answers open to new fields, and keeps requests strict", () => {
    expect(document.components.schemas.Project).not.toHaveProperty("additionalProperties");
    expect(document.components.schemas.ProjectCreateRequest).toMatchObject({ additionalProperties: false });
  });
});

describe("what is said of every operation", () => {
  const built = described.filter((each) => each["x-fettle-built"]);
  const answerOf = ({ responses }: OpenApiOperation) => {
    const [answer] = Object.values(responses);
    return answer && "content" in answer ? answer.content : undefined;
  };

  it("is a description", () => {
    const plain = described.filter(({ description }) => !/^[A-Z].{20,}[.]$/.test(description ?? ""));
    expect(plain.map(({ operationId }) => operationId)).toEqual([]);
  });

  it("is an example of what is sent and of what is answered", () => {
    const without = built.filter((each) => {
      const sent = each.requestBody?.content["application/json"];
      const answered = answerOf(each);
      if (sent && sent.example === undefined) return true;
      if (!answered) return true;
      return "text/event-stream" in answered
        ? answered["text/event-stream"].examples === undefined
        : answered["application/json"].example === undefined;
    });
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
    expect(Object.keys(operationExamples).sort()).toEqual(built.map(({ operationId }) => operationId).sort());
  });

  it("is an example that holds to its schema", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    ajv.addSchema({ $id: "document", components: document.components });
    const wrong: string[] = [];
    const hold = (id: string, schema: JsonSchema, example: unknown) => {
      if (example === undefined) return;
      const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
      const validate = ajv.compile(whole);
      if (!validate(example)) wrong.push(`${id}: ${ajv.errorsText(validate.errors)}`);
    };
    for (const each of built) {
      const sent = each.requestBody?.content["application/json"];
      if (sent) hold(`${each.operationId}'s body`, sent.schema, sent.example);
      const answered = answerOf(each);
      if (answered && "text/event-stream" in answered) {
        const { schema, examples = {} } = answered["text/event-stream"];
        for (const [name, { value }] of Object.entries(examples))
          hold(`${each.operationId}'s ${name}`, schema, value);
      } else if (answered) {
        const { schema, example } = answered["application/json"];
        hold(each.operationId, schema, example);
      }
      for (const parameter of each.parameters ?? [])
        if ("schema" in parameter && parameter.schema.type === "string")
          hold(`${each.operationId}'s ${parameter.name}`, parameter.schema, parameter.example);
    }
    expect(wrong).toEqual([]);
  });

  it("holds nothing of the machine that recorded it", () => {
    expect(JSON.stringify(operationExamples)).not.toMatch(/\/tmp\/|\/root|\/work|sk_[A-Za-z0-9]{20}/);
  });
});

it("describes an operation by its declaration alone", () => {
  const Thing = z.object({ id: z.string(), at: z.int() }).meta({ id: "Thing" });
  const { paths, components } = openApiDocument({
    operations: [
      operation({
        id: "renameThing",
        tag: "Catalog",
        method: "PATCH",
        path: "/things/{thingId}",
        access: access.project.admin,
        elevated: "or its maker",
        summary: "Rename a thing",
        cli: "fettle cloud things rename",
        built: true,
        spends: "opt_in",
        narrows: true,
        idempotent: true,
        query: z.strictObject({ dryRun: z.stringbool().optional().describe("Only say what would happen") }),
        body: z.strictObject({ name: z.string().min(1) }),
        output: Thing,
      }),
    ],
    resources: [],
  });
  expect(paths).toMatchInlineSnapshot(`
    {
      "/things/{thingId}": {
        "patch": {
          "operationId": "renameThing",
          "parameters": [
            {
              "in": "path",
              "name": "thingId",
              "required": true,
              "schema": {
                "type": "string",
              },
            },
            {
              "description": "Only say what would happen",
              "in": "query",
              "name": "dryRun",
              "schema": {
                "type": "string",
              },
            },
            {
              "$ref": "#/components/parameters/IdempotencyKey",
            },
          ],
          "requestBody": {
            "content": {
              "application/json": {
                "schema": {
                  "additionalProperties": false,
                  "properties": {
                    "name": {
                      "minLength": 1,
                      "type": "string",
                    },
                  },
                  "required": [
                    "name",
                  ],
                  "type": "object",
                },
              },
            },
            "required": true,
          },
          "responses": {
            "200": {
              "content": {
                "application/json": {
                  "schema": {
                    "$ref": "#/components/schemas/Thing",
                  },
                },
              },
              "description": "Done",
            },
            "400": {
              "$ref": "#/components/responses/Status400",
            },
            "401": {
              "$ref": "#/components/responses/Status401",
            },
            "403": {
              "$ref": "#/components/responses/Status403",
            },
            "404": {
              "$ref": "#/components/responses/Status404",
            },
            "409": {
              "$ref": "#/components/responses/Status409",
            },
            "413": {
              "$ref": "#/components/responses/Status413",
            },
            "415": {
              "$ref": "#/components/responses/Status415",
            },
            "429": {
              "$ref": "#/components/responses/Status429",
            },
            "500": {
              "$ref": "#/components/responses/Status500",
            },
            "503": {
              "$ref": "#/components/responses/Status503",
            },
          },
          "summary": "Rename a thing",
          "tags": [
            "Catalog",
          ],
          "x-fettle-access": "project admin",
          "x-fettle-built": true,
          "x-fettle-cli": "fettle cloud things rename",
          "x-fettle-elevated": "or its maker",
          "x-fettle-error-codes": [
            "VALIDATION_ERROR",
            "UNAUTHORIZED",
            "FORBIDDEN",
            "NOT_FOUND",
            "CONFLICT",
            "RATE_LIMITED",
            "INTERNAL_ERROR",
            "UNAVAILABLE",
          ],
          "x-fettle-narrows": true,
          "x-fettle-spends": "opt_in",
        },
      },
    }
  `);
  expect(components.schemas.Thing).toMatchInlineSnapshot(`
    {
      "properties": {
        "at": {
          "type": "integer",
        },
        "id": {
          "type": "string",
        },
      },
      "required": [
        "id",
        "at",
      ],
      "type": "object",
    }
  `);
});
