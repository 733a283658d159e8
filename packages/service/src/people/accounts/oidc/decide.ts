/** @module Whose account a sign-in at the OpenID provider opens, if anybody's. Pure, because a mistake here gives accounts away. */
import type { OrganizationRole, UserId } from "@fettle/contract/core";
import { Email, type SignInRefusal } from "@fettle/contract/people";

/** What the provider says about the person; `sub` is the only part that never changes hands. */
interface Profile {
  /** As it was sent, so perhaps no address at all. */
  email: string | undefined;
  isEmailVerified: boolean;
}

export interface Known {
  profile: Profile;
  /** Who this identity at the provider belongs to already. */
  ownerId: UserId | undefined;
  /** Who is signed in here and asked to add this identity. */
  linkingId: UserId | undefined;
  /** Whether an account with the provider's address exists. */
  isAddressTaken: boolean;
  /** The address of the open invitation the person came with. */
  invitedAddress: string | undefined;
  /** Domains whose people may join uninvited, and as what. */
  domains: readonly string[];
  role: OrganizationRole;
  /** Whether the first account was made. */
  hasPeople: boolean;
}

export type Decision =
  | { kind: "signIn"; userId: UserId }
  | { kind: "link"; userId: UserId }
  | { kind: "joinByInvitation"; email: string }
  | { kind: "joinByDomain"; email: string; role: OrganizationRole }
  | { kind: "refuse"; reason: SignInRefusal };

/**
 * An identity is added to an existing account only by somebody who is signed in to that account. A matching address alone never
 * does it, in either direction: the provider's user may have chosen the address, and so may whoever made the account here.
 */
export function decideSignIn(known: Known): Decision {
  const { profile, ownerId, linkingId } = known;
  if (linkingId !== undefined) {
    if (ownerId === undefined) return { kind: "link", userId: linkingId };
    return ownerId === linkingId ? { kind: "signIn", userId: ownerId } : refuse("identity_taken");
  }
  if (ownerId !== undefined) return { kind: "signIn", userId: ownerId };

  if (!known.hasPeople) return refuse("setup_needed");
  if (!profile.email || !profile.isEmailVerified) return refuse("email_not_verified");
  const email = addressOf(profile);
  if (email === undefined) return refuse("email_invalid");
  if (known.isAddressTaken) return refuse("account_exists");
  if (known.invitedAddress === email) return { kind: "joinByInvitation", email };
  if (known.domains.includes(domainOf(email))) return { kind: "joinByDomain", email, role: known.role };
  return refuse("not_invited");
}

function refuse(reason: SignInRefusal): Decision {
  return { kind: "refuse", reason };
}

/** The address as accounts have it, when it is one. */
export function addressOf({ email }: Pick<Profile, "email">): string | undefined {
  return Email.safeParse(email).data;
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}
