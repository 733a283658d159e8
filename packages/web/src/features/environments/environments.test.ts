import { ApiError } from "@fettle/contract/core";
import { Environment } from "@fettle/contract/environments";
import { expect, test } from "vitest";
import {
  createBody,
  emptyValues,
  fieldsOf,
  isChanged,
  updateBody,
  valuesFrom,
  valuesOf,
} from "./environment-draft.ts";
import { explainRefusal, pinErrors } from "./refusals.ts";
import { restoredPins } from "./restored.ts";

const environment = Environment.parse({
  id: "env_1",
  projectId: "proj_1",
  name: "Nightly",
  description: "Every night",
  hostId: "clt_1",
  serverAttachmentId: "grp_1",
  modelId: "m",
  skillSelection: { mode: "explicit", skillIds: ["skl_1"] },
  pluginVersionIds: ["plv_1", "plv_2"],
  revision: 4,
  archived: false,
  createdAt: 1,
  updatedAt: 2,
  updatedBy: null,
});
const refused = (code: string, details: Record<string, unknown>, kind: "CONFLICT" | "VALIDATION_ERROR") =>
  new ApiError(kind, "Said by the service.", { code, ...details }, { status: 400 });

test("only what differs is sent, and what is cleared is sent as null, never as an empty list", () => {
  const values = valuesOf(environment);
  expect(isChanged({ base: environment, values })).toBe(false);
  expect(
    updateBody({
      base: environment,
      values: { ...values, serverAttachmentId: "", modelId: " ", skillIds: [], pluginVersionIds: [] },
    }),
  ).toEqual({
    expectedRevision: 4,
    serverAttachmentId: null,
    modelId: null,
    skillSelection: null,
    pluginVersionIds: null,
  });
  expect(updateBody({ base: environment, values: { ...values, name: " Daily ", description: "" } })).toEqual({
    expectedRevision: 4,
    name: "Daily",
    description: "",
  });
});

test("a new one sends only what was filled in", () => {
  expect(createBody({ ...emptyValues(), name: " New ", hostId: "clt_1" })).toEqual({
    name: "New",
    hostId: "clt_1",
  });
});

test("what a conflict settles on reads back as it was", () => {
  expect(valuesFrom(fieldsOf(valuesOf(environment)))).toEqual(valuesOf(environment));
});

test("a refused pin is said at its own field, with what to do", () => {
  const failure = refused("PERSONAL_SKILL", { path: "body.skillSelection" }, "VALIDATION_ERROR");
  expect(pinErrors(failure)).toEqual({
    skillIds: "Said by the service. Share the skill with the project first.",
  });
  expect(pinErrors(refused("NEWER", { path: "body.hostId" }, "VALIDATION_ERROR"))).toEqual({
    hostId: "Said by the service.",
  });
  expect(pinErrors(null)).toEqual({});
});

test("why it cannot run is explained, also when the reason is newer than the page", () => {
  expect(explainRefusal(refused("ENV_NO_SERVERS", {}, "CONFLICT"))).toMatchObject({ code: "ENV_NO_SERVERS" });
  expect(explainRefusal(refused("ENV_NEWER", {}, "CONFLICT"))?.code).toBe("ENV_NEWER");
  expect(explainRefusal(new ApiError("NOT_FOUND", "Gone."))).toBeUndefined();
});

test("restoring tells what was dropped and what remains", () => {
  const { pluginVersionIds: _, ...bare } = environment;
  expect(
    restoredPins(environment, { ...environment, pluginVersionIds: environment.pluginVersionIds?.slice(1) }),
  ).toEqual({
    dropped: ["plv_1"],
    remaining: ["plv_2"],
  });
  expect(restoredPins(environment, bare)).toEqual({ dropped: ["plv_1", "plv_2"], remaining: [] });
});
