/** @module What each organization role means, in the words the pages use, and who may give which. */
import { type OrganizationRole, organizationRoles } from "@fettle/contract/core";
import type { ChoiceOption } from "../../ui/choice.tsx";

const meanings: Record<OrganizationRole, { label: string; hint: string }> = {
  owner: { label: "Owner", hint: "Everything, and who else is an owner." },
  admin: { label: "Admin", hint: "Members, keys of others, and every project." },
  member: { label: "Member", hint: "Works in public projects and makes new ones." },
  guest: { label: "Guest", hint: "Sees only the projects they are granted." },
};

export function roleLabel(role: OrganizationRole): string {
  return meanings[role].label;
}

/** Highest first. Only an owner makes an owner. */
export function roleOptions(held: OrganizationRole): ChoiceOption<OrganizationRole>[] {
  return organizationRoles
    .toReversed()
    .filter((role) => role !== "owner" || held === "owner")
    .map((value) => ({ value, ...meanings[value] }));
}

/** Why someone with the role may not change a member, or undefined when they may. */
export function memberBlock(held: OrganizationRole, theirs: OrganizationRole): string | undefined {
  if (held !== "owner" && held !== "admin") return "Admins and owners can do this.";
  if (theirs === "owner" && held !== "owner") return "Only an owner can change an owner.";
  return undefined;
}
