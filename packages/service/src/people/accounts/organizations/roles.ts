/** @module Who may change whose standing in an organization. Pure: what is held goes in, a refusal or nothing comes out. */
import { ApiError, holdsOrganizationRole, type OrganizationRole } from "@fettle/contract/core";

/** What must be known to judge a change of membership, read under the organization's lock. */
export interface Standing {
  actor: OrganizationRole;
  target: OrganizationRole;
  owners: number;
  isSelf: boolean;
}

/** The role after the change; null is leaving or being removed. */
type NewRole = OrganizationRole | null;

/** Why the change may not be made, or undefined when it may. */
export function refuseMembershipChange(standing: Standing, next: NewRole): ApiError | undefined {
  const { actor, target, owners, isSelf } = standing;
  const isLeaving = isSelf && next === null;
  if (!isLeaving && !holdsOrganizationRole(actor, "admin")) {
    return new ApiError("FORBIDDEN", "Only admins and owners may change members.", { needed: "admin" });
  }
  if (!isSelf && actor !== "owner" && (target === "owner" || next === "owner")) {
    return new ApiError("FORBIDDEN", "Only an owner may make or unmake an owner.", { needed: "owner" });
  }
  if (isSelf && next !== null && !holdsOrganizationRole(actor, next)) {
    return new ApiError("FORBIDDEN", "Nobody may raise their own role.", { needed: "owner" });
  }
  if (target === "owner" && next !== "owner" && owners === 1) {
    return new ApiError("CONFLICT", "An organization needs an owner. Make somebody else an owner first.", {
      code: "LAST_OWNER",
    });
  }
  return undefined;
}

/** Why this person may not invite in that role, or undefined. */
export function refuseInvitation(actor: OrganizationRole, role: OrganizationRole): ApiError | undefined {
  if (!holdsOrganizationRole(actor, "admin")) {
    return new ApiError("FORBIDDEN", "Only admins and owners may invite.", { needed: "admin" });
  }
  if (role === "owner" && actor !== "owner") {
    return new ApiError("FORBIDDEN", "Only an owner may invite an owner.", { needed: "owner" });
  }
  return undefined;
}
