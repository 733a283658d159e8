import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newId } from "../../../core/id.ts";
import { decideSignIn, type Known } from "./decide.ts";

const [ada, eve] = [newId("user"), newId("user")];
const verified = { email: "ada@corp.example", isEmailVerified: true };
const stranger: Known = {
  profile: verified,
  ownerId: undefined,
  linkingId: undefined,
  isAddressTaken: false,
  invitedAddress: undefined,
  domains: ["corp.example"],
  role: "member",
  hasPeople: true,
};

test.each<[string, Partial<Known>, object]>([
  ["a known identity signs in", { ownerId: ada }, { kind: "signIn", userId: ada }],
  [
    "a known identity signs in even when its address became unverified",
    { ownerId: ada, profile: { email: undefined, isEmailVerified: false } },
    { kind: "signIn", userId: ada },
  ],
  [
    "an allowed domain joins in the configured role",
    {},
    { kind: "joinByDomain", email: "ada@corp.example", role: "member" },
  ],
  [
    "an invitation for this very address is taken up before the domain counts",
    { invitedAddress: "ada@corp.example" },
    { kind: "joinByInvitation", email: "ada@corp.example" },
  ],
  [
    "addresses are compared without case",
    { profile: { email: "Ada@Other.Example", isEmailVerified: true }, invitedAddress: "ada@other.example" },
    { kind: "joinByInvitation", email: "ada@other.example" },
  ],
  [
    "somebody else's invitation is no way in",
    { profile: { email: "eve@other.example", isEmailVerified: true }, invitedAddress: "ada@other.example" },
    { kind: "refuse", reason: "not_invited" },
  ],
  [
    "a domain that only ends alike is another domain",
    { profile: { email: "eve@notcorp.example", isEmailVerified: true } },
    { kind: "refuse", reason: "not_invited" },
  ],
  [
    "an address with two at-signs is none",
    { profile: { email: '"x@evil.example"@corp.example', isEmailVerified: true } },
    { kind: "refuse", reason: "email_invalid" },
  ],
  [
    "a letter that only lower case makes a plain one is none",
    {
      profile: { email: "\u212Aim@corp.example", isEmailVerified: true },
      invitedAddress: "kim@corp.example",
    },
    { kind: "refuse", reason: "email_invalid" },
  ],
  [
    "before anybody has an account, nobody joins",
    { hasPeople: false },
    { kind: "refuse", reason: "setup_needed" },
  ],
  [
    "an unverified address joins nothing",
    { profile: { ...verified, isEmailVerified: false } },
    { kind: "refuse", reason: "email_not_verified" },
  ],
  [
    "an address that has an account opens nothing by itself",
    { isAddressTaken: true },
    { kind: "refuse", reason: "account_exists" },
  ],
  [
    "whoever is signed in may add an identity",
    { linkingId: ada, isAddressTaken: true },
    { kind: "link", userId: ada },
  ],
  [
    "adding one's own identity again signs in",
    { linkingId: ada, ownerId: ada },
    { kind: "signIn", userId: ada },
  ],
  [
    "somebody else's identity cannot be added",
    { linkingId: ada, ownerId: eve },
    { kind: "refuse", reason: "identity_taken" },
  ],
])("%s", (_, change, decision) => {
  expect(decideSignIn({ ...stranger, ...change })).toEqual(decision);
});

describe("whatever the provider says", () => {
  const id = fc.option(fc.constantFrom(ada, eve), { nil: undefined });
  const address = fc.option(fc.constantFrom("ada@corp.example", "eve@other.example"), { nil: undefined });
  const known: fc.Arbitrary<Known> = fc.record({
    profile: fc.record({ email: address, isEmailVerified: fc.boolean() }),
    ownerId: id,
    linkingId: id,
    isAddressTaken: fc.boolean(),
    invitedAddress: address,
    domains: fc.constantFrom([], ["corp.example"]),
    role: fc.constant("member"),
    hasPeople: fc.boolean(),
  });

  test("an account is opened only for its owner, or for who is signed in to it", () => {
    fc.assert(
      fc.property(known, (held) => {
        const decision = decideSignIn(held);
        if (decision.kind === "signIn") expect(decision.userId).toBe(held.ownerId);
        if (decision.kind === "link") expect(decision.userId).toBe(held.linkingId);
      }),
    );
  });

  test("nobody joins with an address that is unverified or taken", () => {
    fc.assert(
      fc.property(known, (held) => {
        fc.pre(!held.profile.isEmailVerified || held.isAddressTaken);
        expect(decideSignIn(held).kind).not.toMatch(/^join/);
      }),
    );
  });
});
