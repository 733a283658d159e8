import { expect, test } from "vitest";
import { holdsOrganizationRole, organizationRoles } from "./roles.ts";

test.each([
  ["guest", "guest"],
  ["member", "guest member"],
  ["admin", "guest member admin"],
  ["owner", "guest member admin owner"],
] as const)("%s reaches %s and no other role", (held, reached) => {
  expect(organizationRoles.filter((needed) => holdsOrganizationRole(held, needed)).join(" ")).toBe(reached);
});
