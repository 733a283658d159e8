import { access, type ProjectId } from "@fettle/contract/core";
import { expect, it } from "vitest";
import { testApp } from "../../testing/app.ts";
import { makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { locate } from "./access.ts";

it("default means a project of the caller's; a project that is named is that project and no other", async () => {
  await using app = await testApp();
  const organizationId = await makeOrganization(app.db);
  const userId = await makeMember(app.db, organizationId, "owner");
  const projects = [await makeProject(app.db, organizationId), await makeProject(app.db, organizationId)];
  const elsewhere = await makeProject(app.db, await makeOrganization(app.db));
  const caller = { kind: "session", userId, sessionId: "ses_1", via: "cli" } as const;
  const found = async (projectId: string) => {
    const names = { params: { projectId: projectId as ProjectId }, query: {} };
    return (await locate(app.pool, access.project.readOrDefault, caller, names)).project?.id;
  };
  for (const project of projects) expect(await found(project)).toBe(project);
  expect(projects).toContain(await found("default"));
  await expect(found(elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const names = { params: { projectId: "default" as ProjectId }, query: {} };
  await expect(locate(app.pool, access.project.read, caller, names)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});
