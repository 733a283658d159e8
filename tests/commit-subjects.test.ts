/** @module Holds what commits are called to what CONTRIBUTING says, from the day this was agreed. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** The last commit before the rule. */
const base = "6badd6df663058ca029a060ac5ca33222cdc2e16";
const most = 72;

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** A downloaded archive has no history, and a shallow checkout not all of it. */
function hasBase(): boolean {
  try {
    git("merge-base", "--is-ancestor", base, "HEAD");
    return true;
  } catch {
    return false;
  }
}

/** Past tense, third person and "adding" are what slips in; a verb like "need" or "bring" is none of them. */
const notImperative =
  /^(?:Added|Fixed|Changed|Removed|Updated|Moved|Renamed|Adds|Fixes|Changes|Removes|Updates|Moves|Renames|Adding|Fixing|Changing|Removing|Updating|Moving|Renaming)\b/;

/** What is wrong with a subject; empty for a good one. */
function faultsOf(subject: string): string[] {
  return [
    ...(subject.length > most ? [`longer than ${most} characters`] : []),
    ...(/^\p{Lu}/u.test(subject) ? [] : ["does not begin with a capital"]),
    ...(subject.endsWith(".") ? ["ends with a full stop"] : []),
    ...(notImperative.test(subject) ? ["not in the imperative"] : []),
  ];
}

test.each([
  ["Name files by what they hold", []],
  [`Name ${"x".repeat(most - 5)}`, []],
  [`Name ${"x".repeat(most - 4)}`, ["longer than 72 characters"]],
  ["name files", ["does not begin with a capital"]],
  ["Name files.", ["ends with a full stop"]],
  ["Renamed files", ["not in the imperative"]],
])("%s", (subject, faults) => {
  expect(faultsOf(subject)).toEqual(faults);
});

test.skipIf(!hasBase())("every commit since the rule is called as the rule says", () => {
  const subjects = git("log", "--no-merges", "--format=%h %s", `${base}..HEAD`).split("\n").filter(Boolean);
  const wrong = subjects.flatMap((line) => {
    const [, hash, subject] = /^(\S+) (.*)$/.exec(line)!;
    return faultsOf(subject!).map((fault) => `${hash} ${subject}: ${fault}`);
  });
  expect(wrong).toEqual([]);
});
