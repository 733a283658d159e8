import { expect, test } from "vitest";
import type { FoundLink } from "./link-file.ts";
import { chooseProject, pickByIdOrName, selectProject } from "./project-selection.ts";

const link: FoundLink = {
  path: "/w/.fettle/project.json",
  link: { version: 1, project: { id: "proj_2", name: "Beta" }, apiUrl: "https://app.example/api/v1" },
};
const none = { flag: undefined, input: undefined, env: undefined, link: undefined };

test.each([
  ["--project before all else", { flag: "a", input: "b", env: "c", link }, "flag", "a"],
  ["the input document", { ...none, input: "b", env: "c", link }, "input", "b"],
  ["FETTLE_PROJECT", { ...none, env: "c", link }, "env", "c"],
  ["the link", { ...none, link }, "link", "proj_2"],
])("the selector comes from %s", (_, sources, source, selector) => {
  expect(selectProject(sources)).toMatchObject({ source, selector });
});

test("without any selector the choice is automatic", () => {
  expect(selectProject(none)).toEqual({ source: "automatic", description: "newest accessible project" });
});

test.each([
  ["FETTLE_PROJECT set but blank", { ...none, env: "  ", link }, "USAGE_ERROR"],
  [
    "a link that cannot be used",
    { ...none, link: { path: "/w/p.json", error: "is not JSON" } },
    "OPERATIONAL_ERROR",
  ],
])("%s is never passed over", (_, sources, code) => {
  const selection = selectProject(sources);
  expect(selection).toMatchObject({ source: "unresolved", error: { code } });
  expect(() => chooseProject(selection, projects)).toThrow(expect.objectContaining({ code }));
});

const projects = [
  { id: "proj_1", name: "Alpha", updatedAt: 10 },
  { id: "proj_2", name: "Beta", updatedAt: 30 },
  { id: "proj_3", name: "beta", updatedAt: 20 },
  { id: "proj_4", name: "proj_1", updatedAt: 5 },
];
const choose = (selector: string) =>
  chooseProject({ source: "flag", selector, description: "--project" }, projects).id;

test("an exact id wins over a name, and a name is found whatever its case", () => {
  expect([choose("proj_1"), choose("ALPHA")]).toEqual(["proj_1", "proj_1"]);
});

test("a name that several have lists their ids", () => {
  expect(() => choose("beta")).toThrow(
    expect.objectContaining({ code: "NOT_FOUND", details: { ids: ["proj_2", "proj_3"] } }),
  );
});

test("the same rule serves other things, by their own noun", () => {
  expect(() => pickByIdOrName("server", "x", [{ id: "srv_1", name: "A" }])).toThrow(
    'No server has the id or name "x".',
  );
});

test("an unknown selector lists the choices", () => {
  expect(() => choose("gamma")).toThrow(
    expect.objectContaining({
      code: "NOT_FOUND",
      details: { choices: expect.arrayContaining(["Alpha (proj_1)"]), choiceCount: 4 },
    }),
  );
});

test("of many choices ten are listed, and all are counted", () => {
  const many = Array.from({ length: 100 }, (_, index) => ({ id: `srv_${index}`, name: `S${index}` }));
  const choices = many.slice(0, 10).map(({ id, name }) => `${name} (${id})`);
  expect(() => pickByIdOrName("server", "x", many)).toThrow(
    expect.objectContaining({ details: { choices, choiceCount: 100 } }),
  );
});

test("a link that leads nowhere names its file", () => {
  expect(() => chooseProject(selectProject({ ...none, link }), [projects[0]!])).toThrow(
    "/w/.fettle/project.json",
  );
});

test("the newest project is the automatic choice", () => {
  expect(chooseProject(selectProject(none), projects).id).toBe("proj_2");
  expect(() => chooseProject(selectProject(none), [])).toThrow(
    expect.objectContaining({ code: "NOT_FOUND" }),
  );
});
