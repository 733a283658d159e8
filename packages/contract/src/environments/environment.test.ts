import { describe, expect, test } from "vitest";
import {
  AdhocEnvironmentRequest,
  EnvironmentCreateRequest,
  EnvironmentUpdateRequest,
} from "./environment.ts";

const ids = {
  host: "cli_0000000000000000000000",
  skill: "skl_0000000000000000000000",
  version: "plv_0000000000000000000000",
};
const requests = [
  [
    "creating",
    EnvironmentCreateRequest,
    { name: "Staging", hostId: ids.host },
    "Leave the field out to pin nothing.",
  ],
  ["asking for", AdhocEnvironmentRequest, { hostId: ids.host }, "Leave the field out to pin nothing."],
  ["changing", EnvironmentUpdateRequest, { expectedRevision: 1 }, "Send null to pin nothing."],
] as const;

describe.each(requests)("%s an environment", (_, request, base, hint) => {
  const emptyPins = (fields: object) =>
    request
      .safeParse({ ...base, ...fields })
      .error?.issues.filter((issue) => issue.code === "custom" && issue.params?.code === "EMPTY_PIN")
      .map(({ path, message }) => [path.join("."), message]) ?? [];

  test("refuses an empty list of pins, and says how to pin nothing", () => {
    expect(emptyPins({ skillSelection: { skillIds: [] } })).toEqual([["skillSelection.skillIds", hint]]);
    expect(emptyPins({ pluginVersionIds: [] })).toEqual([["pluginVersionIds", hint]]);
    expect(emptyPins({ skillSelection: { skillIds: [] }, pluginVersionIds: [] })).toHaveLength(2);
  });

  test("takes lists with something in them", () => {
    expect(emptyPins({ skillSelection: { skillIds: [ids.skill] }, pluginVersionIds: [ids.version] })).toEqual(
      [],
    );
    expect(emptyPins({})).toEqual([]);
  });
});

test("a change has to name something that changes", () => {
  expect(EnvironmentUpdateRequest.safeParse({ expectedRevision: 1 }).success).toBe(false);
  expect(EnvironmentUpdateRequest.safeParse({ expectedRevision: 1, name: "Staging" }).success).toBe(true);
});
