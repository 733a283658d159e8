import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { Operations } from "../operations/operations.ts";
import type { ServerGroupCreateRequest } from "../servers/server-group.ts";
import type { ConformanceRunId, OrganizationId, ProjectId, ServerId } from "./id.ts";
import type { ParametersOf } from "./operation.ts";

test("an id reads as text, and neither text nor an id of another kind passes for it", () => {
  expectTypeOf<ProjectId>().toExtend<string>();
  expectTypeOf<string>().not.toExtend<ProjectId>();
  expectTypeOf<OrganizationId>().not.toExtend<ProjectId>();
});

test("what a path names has its kind, also where kinds share the name", () => {
  type Server = ParametersOf<Operations["getProjectServer"]>;
  expectTypeOf<Server["projectId"]>().toEqualTypeOf<ProjectId>();
  expectTypeOf<Server["serverId"]>().toEqualTypeOf<ServerId>();
  expectTypeOf<ParametersOf<Operations["getConformanceRun"]>["runId"]>().toEqualTypeOf<ConformanceRunId>();
});

test("a body is sent with text and arrives with ids", () => {
  expectTypeOf<z.input<typeof ServerGroupCreateRequest>["serverIds"]>().toEqualTypeOf<string[]>();
  expectTypeOf<z.output<typeof ServerGroupCreateRequest>["serverIds"]>().toEqualTypeOf<ServerId[]>();
});
