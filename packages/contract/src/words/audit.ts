/** @module The words of the audit log. Free of zod, for pages. */

/** How whoever did it had proved who they are. */
export const auditWays = ["browser", "cli", "key"] as const;
