/** @module The words of the audit log. Free of zod, for pages. */

/** How whoever did it had proved who they are; an operator has the machine itself. */
export const auditWays = ["browser", "cli", "key", "operator"] as const;
