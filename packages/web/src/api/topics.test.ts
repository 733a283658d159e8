import { expect, test } from "vitest";
import { type Change, changeBy, changeTold, isStale, whereWithin } from "./topics.ts";

const inProject = { projectId: "prj_1" };
const told = (topic: string, about?: string) => changeTold(topic, about)!;

test.each([
  ["createSkill", { ...inProject, body: {} }, told("project:prj_1", "skills")],
  ["startConformanceRun", { ...inProject, serverId: "srv_1" }, told("project:prj_1", "conformance-runs")],
  ["updateProject", inProject, told("project:prj_1")],
  ["updateMember", { organizationId: "org_1", userId: "usr_1" }, told("organization:org_1")],
  ["updateProfile", { body: {} }, told("account:usr_1")],
  ["createProject", { body: { organizationId: "org_1" } }, told("account:usr_1")],
] as const)("%s changes what the service would tell of it", (id, asked, change) => {
  expect(changeBy(id, asked)).toEqual(change);
});

const reads = [
  ["getProject", inProject],
  ["listProjectSkills", inProject],
  ["getSkillFiles", { ...inProject, skillId: "skl_1" }],
  ["listServerGroups", inProject],
  ["resolveEnvironment", { ...inProject, environmentId: "env_1" }],
  ["listProjectSkills", { projectId: "prj_2" }],
  ["listProjects", { query: { organizationId: "org_1" } }],
  ["listProjects", { query: { organizationId: "org_2" } }],
  ["listMembers", { organizationId: "org_1" }],
  ["getBootstrap", {}],
] as const;
const staleAfter = (change: Change) =>
  reads
    .filter(([id, asked]) => isStale(change, id, asked))
    .map(
      ([id, asked]) =>
        `${id} ${Object.values(asked).map((each) => (typeof each === "string" ? each : each.organizationId))}`,
    );

test("a changed project makes its own reads stale, and the lists it is in", () => {
  const stale = staleAfter(told("project:prj_1"));
  expect(stale).toContain("getProject prj_1");
  expect(stale).toContain("listServerGroups prj_1");
  expect(stale).toContain("listProjects org_1");
  expect(stale).not.toContain("listProjectSkills prj_2");
});

test("a change in one part of a project leaves the reads of the others alone", () => {
  expect(staleAfter(told("project:prj_1", "skills"))).toEqual([
    "listProjectSkills prj_1",
    "getSkillFiles prj_1,skl_1",
    "resolveEnvironment prj_1,env_1",
  ]);
});

test("a part that only a newer service knows may be any part", () => {
  expect(staleAfter(told("project:prj_1", "a-newer-part"))).toContain("listServerGroups prj_1");
  expect(staleAfter(told("project:prj_1", "constructor"))).toContain("listServerGroups prj_1");
});

test("an organization's change concerns its own lists, and who I am in it", () => {
  expect(staleAfter(told("organization:org_1"))).toEqual([
    "listProjects org_1",
    "listMembers org_1",
    "getBootstrap ",
  ]);
});

test("an account's change leaves what is inside projects alone", () => {
  expect(staleAfter(told("account:usr_1"))).toEqual([
    "listProjects org_1",
    "listProjects org_2",
    "listMembers org_1",
    "getBootstrap ",
  ]);
});

test("a topic of a newer service changes nothing", () => {
  expect(changeTold("unheard:of")).toBeUndefined();
  expect(changeTold("constructor:x")).toBeUndefined();
});

test("what was deleted is forgotten with all below it, and nothing beside it", () => {
  const skill = { ...inProject, skillId: "skl_1" };
  expect(whereWithin("deleteSkill", skill, "getProjectSkill", skill)).toBe("at");
  expect(whereWithin("deleteSkill", skill, "getSkillFiles", skill)).toBe("below");
  expect(
    whereWithin("deleteSkill", skill, "getSkillFiles", { ...inProject, skillId: "skl_2" }),
  ).toBeUndefined();
  expect(whereWithin("deleteSkill", skill, "listProjectSkills", inProject)).toBeUndefined();
});
