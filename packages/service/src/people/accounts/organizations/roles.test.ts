import { organizationRoles } from "@fettle/contract/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refuseInvitation, refuseMembershipChange, type Standing } from "./roles.ts";

const role = fc.constantFrom(...organizationRoles);
const nextRole = fc.option(role, { nil: null });
const standing: fc.Arbitrary<Standing> = fc
  .record({ actor: role, target: role, owners: fc.integer({ min: 1, max: 3 }), isSelf: fc.boolean() })
  .map((made) => (made.isSelf ? { ...made, target: made.actor } : made));

describe("whatever is tried", () => {
  test("the last owner stays an owner", () => {
    fc.assert(
      fc.property(standing, nextRole, (held, next) => {
        fc.pre(held.target === "owner" && held.owners === 1 && next !== "owner");
        expect(refuseMembershipChange(held, next)).toBeDefined();
      }),
    );
  });

  test("members and guests change nobody, except that they may leave", () => {
    fc.assert(
      fc.property(standing, nextRole, (held, next) => {
        fc.pre(held.actor === "member" || held.actor === "guest");
        const refusal = refuseMembershipChange(held, next);
        expect(refusal === undefined).toBe(held.isSelf && next === null);
      }),
    );
  });

  test("nobody but an owner touches ownership", () => {
    fc.assert(
      fc.property(standing, nextRole, (held, next) => {
        fc.pre(held.actor !== "owner" && !(held.isSelf && next === null));
        fc.pre(held.target === "owner" || next === "owner");
        expect(refuseMembershipChange(held, next)?.code).toBe("FORBIDDEN");
      }),
    );
  });

  test("nobody raises themselves", () => {
    fc.assert(
      fc.property(standing, role, (held, next) => {
        fc.pre(held.isSelf && organizationRoles.indexOf(next) > organizationRoles.indexOf(held.actor));
        expect(refuseMembershipChange(held, next)?.code).toBe("FORBIDDEN");
      }),
    );
  });
});

test.each([
  [{ actor: "admin", target: "member", owners: 1, isSelf: false }, "admin"],
  [{ actor: "admin", target: "admin", owners: 1, isSelf: false }, null],
  [{ actor: "owner", target: "owner", owners: 2, isSelf: true }, "member"],
  [{ actor: "owner", target: "owner", owners: 2, isSelf: true }, null],
  [{ actor: "owner", target: "member", owners: 1, isSelf: false }, "owner"],
  [{ actor: "guest", target: "guest", owners: 1, isSelf: true }, null],
] as const)("%o may become %s", (held, next) => {
  expect(refuseMembershipChange(held, next)).toBeUndefined();
});

test("admins invite up to admin, owners invite anyone, others nobody", () => {
  const allowed = organizationRoles.map((actor) =>
    organizationRoles.filter((invited) => !refuseInvitation(actor, invited)),
  );
  expect(allowed).toEqual([[], [], ["guest", "member", "admin"], ["guest", "member", "admin", "owner"]]);
});
