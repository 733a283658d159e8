/** @module A profile freezes which checks count, under a dated version: a check added later reports as pending until the next one. */
import { createHash } from "node:crypto";
import checker from "../../package.json" with { type: "json" };

export interface Profile {
  id: string;
  /** A date. */
  version: string;
  scoredCheckIds: readonly string[];
}

/** The one in use, of several in order of their dates. */
export function newestProfile(profiles: readonly [Profile, ...Profile[]]): Profile {
  return profiles.at(-1) ?? profiles[0];
}

/** Stands in every result, so that a stored one can be scored again by the rules it was made under. */
export interface ProfileStamp {
  profileId: string;
  profileVersion: string;
  manifestDigest: string;
  checkerVersion: string;
  protocolVersion?: string;
  extensionVersions?: Record<string, string>;
  schemaDigest?: string;
  pendingCheckIds: string[];
}

export interface StampFacts {
  protocolVersion?: string;
  extensionVersions?: Record<string, string>;
  schemaDigest?: string;
}

export function isPending(profile: Profile, checkId: string): boolean {
  return !profile.scoredCheckIds.includes(checkId);
}

export function stampOf(profile: Profile, checkIds: readonly string[], facts: StampFacts = {}): ProfileStamp {
  const manifest = { id: profile.id, version: profile.version, checks: [...profile.scoredCheckIds].sort() };
  return {
    profileId: profile.id,
    profileVersion: profile.version,
    manifestDigest: `sha256:${createHash("sha256").update(JSON.stringify(manifest)).digest("hex")}`,
    checkerVersion: checker.version,
    ...facts,
    pendingCheckIds: checkIds.filter((id) => isPending(profile, id)).sort(),
  };
}
