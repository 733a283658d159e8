/** @module Published profiles never change: a score means the same for as long as its date is named. */
import { expect, test } from "vitest";
import { protocolProfiles } from "../protocol/profiles.ts";
import { suites } from "../suites.ts";
import { newestProfile, stampOf } from "./profile.ts";

/** Written down when a date was published; a line here is added, never edited. The newest date may grow until it has one. */
const published: Record<string, string> = {
  "mcp-protocol@2026-11-15": "sha256:92757cf8a22edcd8d56b654840db59cf593e0863f916ea15d1426f3d49fc90cb",
  "mcp-tasks@2026-11-15": "sha256:c06909ac537b28bf298e268fc085e56531fd1b5a8468998978467945e337124e",
};

/** They judge our own requests. */
const unscored = ["tasks-declaration-hygiene"];

const dated = Object.entries(suites).flatMap(([kind, { profiles, checks }]) =>
  profiles ? [{ kind, profiles, ids: checks.map(({ id }) => id) }] : [],
);

test.each(dated)("the published digests of $kind are what they were", ({ profiles }) => {
  const named = profiles.map((profile) => [`${profile.id}@${profile.version}`, profile] as const);
  const known = named.filter(([name], at) => name in published || at < named.length - 1);
  expect(
    Object.fromEntries(known.map(([name, profile]) => [name, stampOf(profile, []).manifestDigest])),
  ).toEqual(Object.fromEntries(known.map(([name]) => [name, published[name]])));
});

test.each(dated)(
  "the newest profile of $kind scores every check, and names none twice",
  ({ profiles, ids }) => {
    const { scoredCheckIds } = newestProfile(profiles);
    expect(ids.filter((id) => !scoredCheckIds.includes(id) && !unscored.includes(id))).toEqual([]);
    expect(new Set(scoredCheckIds).size).toBe(scoredCheckIds.length);
    expect(profiles.map(({ version }) => version)).toEqual(profiles.map(({ version }) => version).toSorted());
  },
);

test("a check that a date does not name is pending under it, and so counts for nothing", () => {
  const [first] = protocolProfiles;
  const { pendingCheckIds } = stampOf(first, ["ping", "answers-once"]);
  expect(pendingCheckIds).toEqual(["answers-once"]);
});

test("a stamp says which profile and checker judged, whatever the order of checks", () => {
  const profile = { id: "p", version: "2026-01-01", scoredCheckIds: ["b", "a"] };
  const turned = { ...profile, scoredCheckIds: ["a", "b"] };
  expect(stampOf(profile, ["d", "a", "c"])).toEqual(stampOf(turned, ["c", "d", "a"]));
  expect(stampOf(profile, ["d", "a", "c"], { protocolVersion: "2025-11-25" })).toEqual({
    profileId: "p",
    profileVersion: "2026-01-01",
    manifestDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    checkerVersion: expect.stringMatching(/^\d+\./),
    protocolVersion: "2025-11-25",
    pendingCheckIds: ["c", "d"],
  });
});
