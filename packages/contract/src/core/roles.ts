/** @module The roles people hold, in rising order. No schemas here: pages and the CLI import this without a validator. */

export const organizationRoles = ["guest", "member", "admin", "owner"] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** A grant on one project, beside what the organization role gives. */
export const projectGrants = ["editor", "admin"] as const;
export type ProjectGrant = (typeof projectGrants)[number];

export const visibilities = ["public", "private"] as const;
export type Visibility = (typeof visibilities)[number];

/**
 * Whether a role reaches the one asked for.
 *
 * @example
 * holdsOrganizationRole("admin", "member"); // true
 */
export function holdsOrganizationRole(held: OrganizationRole, needed: OrganizationRole): boolean {
  return organizationRoles.indexOf(held) >= organizationRoles.indexOf(needed);
}
