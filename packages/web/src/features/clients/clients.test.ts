import type { ClientDetail } from "@fettle/contract/environments";
import { expect, test } from "vitest";
import type { FormState } from "../../kit/schema-form/form-state.ts";
import { parseExact } from "../../lib/json-exact.ts";
import {
  draftFault,
  draftFrom,
  draftOn,
  fieldsOf,
  isChanged,
  isOutdated,
  updateBody,
} from "./client-draft.ts";
import { impactTotal, impactWords } from "./impact.ts";

const impact = { liveEnvironmentCount: 0, scenarioAttachmentCount: 0, activeLegacyJourneyCount: 0 };
const client: ClientDetail = {
  id: "clt_1",
  name: "Claude",
  configId: "cfg_1",
  config: { modelId: "m", temperature: 0.5, name: "a setting of that name" },
  ownerScope: null,
  hasComputer: false,
  impact,
  createdAt: 1,
  updatedAt: 2,
  updatedBy: null,
};

test("an untouched draft sends nothing, and a changed one only what differs, with what was expected", () => {
  const draft = draftFrom(client);
  expect([isChanged(draft), updateBody(draft)]).toEqual([false, {}]);
  const renamed = { ...draft, name: " Other " };
  expect([isChanged(renamed), updateBody(renamed)]).toEqual([
    true,
    { name: "Other", expectedName: "Claude" },
  ]);
  const value = { ...client.config, temperature: 1 };
  expect(updateBody({ ...draft, form: { value: value as never, drafts: {} } })).toEqual({
    config: value,
    expectedConfigId: "cfg_1",
    expectedImpact: impact,
  });
});

test("numbers are sent digit by digit as they were typed", () => {
  const form = { value: parseExact('{"modelId":"m","seed":12345678901234567890}'), drafts: {} };
  expect(JSON.stringify(updateBody({ ...draftFrom(client), form }).config)).toContain("12345678901234567890");
});

test.each([
  ["{", undefined, "no value yet"],
  ["", [1], "is an object"],
  ["", { temperature: 1 }, "names a model"],
  ["", { modelId: " " }, "names a model"],
])("what is no config is not sent: %j %j", (text, value, reason) => {
  const drafts: FormState["drafts"] = text ? { "[]": { path: [], text, reason: "ends too early" } } : {};
  expect(draftFault({ ...draftFrom(client), form: { value, drafts } })).toContain(reason);
});

test("a setting called name is not the name of the client", () => {
  const stored = { ...client, name: "Renamed", configId: "cfg_2" };
  expect(isOutdated(draftFrom(client), stored)).toBe(true);
  const draft = draftOn(stored, fieldsOf("Mine", client.config as never));
  expect([draft.name, draft.form.value]).toEqual(["Mine", client.config]);
});

test("impact is said in words", () => {
  expect(impactWords(impact)).toBe("nothing");
  const some = { liveEnvironmentCount: 2, scenarioAttachmentCount: 1, activeLegacyJourneyCount: 0 };
  expect([impactWords(some), impactTotal(some)]).toEqual(["2 environments, 1 scenario", 3]);
});
