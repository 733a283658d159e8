/** @module The words of the registry: what an entry of a directory is, how it is reached, and why it may not be. Free of zod, for pages. */

/** `remote`: has an address. `package`: is run by whoever uses it. `listing`: says neither. */
export const directoryRowTypes = ["remote", "package", "listing"] as const;
export type DirectoryRowType = (typeof directoryRowTypes)[number];

/** `fixed`: one address. `options`: one of several. `tenant`: the address has parts that differ from user to user. */
export const endpointKinds = ["fixed", "options", "tenant"] as const;
export type EndpointKind = (typeof endpointKinds)[number];

/** `bundled`: came with Fettle. `domain`: its address lies under the domain that its name claims. */
export const verifiedTiers = ["bundled", "domain", "none"] as const;
export type VerifiedTier = (typeof verifiedTiers)[number];

/** `headers`: the directory says that some must be sent. Whether a server asks for a sign-in, no directory says. */
export const authPostures = ["headers", "unknown"] as const;
export type AuthPosture = (typeof authPostures)[number];

/** Why an entry cannot be installed. */
export const unavailableReasons = [
  "removed",
  "package_only",
  "no_endpoint",
  "address_not_allowed",
  "pattern_unusable",
] as const;
export type UnavailableReason = (typeof unavailableReasons)[number];

export const cardScopes = ["global", "organization"] as const;
export type CardScope = (typeof cardScopes)[number];

/** A card that a member proposed waits for an admin of the organization. */
export const cardStatuses = ["approved", "pending"] as const;
export type CardStatus = (typeof cardStatuses)[number];

export const installOutcomes = ["created", "reconnected"] as const;
