/**
 * @module What a write changes that people, schedules or visitors may be using. The declaration names the resource; whether it is in
 * use is asked of the database at the time of the call.
 */

export const touchedKinds = [
  "evalSuite",
  "environment",
  "persona",
  "journey",
  "swarm",
  "server",
  "savedCall",
  "sandboxImage",
] as const;
export type TouchedKind = (typeof touchedKinds)[number];

/**
 * Where a call names the resource: a parameter of the path or a field of the body. An empty object: the call only adds something new
 * that nothing runs by itself. `everyone`: the whole project sees the change.
 */
export type Touches = "everyone" | Partial<Record<TouchedKind, `path.${string}` | `body.${string}`>>;

/** Kinds of which two may have the same name, and which people, scripts and CI jobs select by name. */
export const sharedNameKinds = [
  "evalSuite",
  "persona",
  "journey",
  "swarm",
  "sandboxImage",
] as const satisfies readonly TouchedKind[];
export type SharedNameKind = (typeof sharedNameKinds)[number];
