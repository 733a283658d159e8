/** @module What directories of servers are held to: they are written by strangers, and read by a job and by pages. */
import { MiB, minute } from "../../core/limits/units.ts";

export const registryLimits = {
  listed: { max: 100, fallback: 30 },
  queryLength: 200,
  queryWords: 10,
  sourceLength: 300,
  cursorLength: 2_000,
  /** Of one directory: what has more is refused as a whole, and the copy before it stays. */
  entries: 50_000,
  pages: 1_000,
  pageSize: 100,
  pageBytes: 16 * MiB,
  fileBytes: 64 * MiB,
  keptBytes: 128 * MiB,
  requestMs: minute,
  syncMs: 15 * minute,
  /** Rows written in one statement. */
  batch: 500,
  /** Of one entry: what is longer is cut, what is more is left out. */
  nameLength: 200,
  titleLength: 120,
  descriptionLength: 2_000,
  versionLength: 100,
  remotes: 20,
  packages: 20,
  inputs: 50,
  choices: 50,
  choiceLength: 200,
  /** Addresses that one entry may come to when its variables are chosen from lists. */
  options: 50,
  /** Of the parts of an address that differ from user to user: each more multiplies the ways a pattern can fit. */
  variables: 3,
  variableLength: 64,
  /** Of one package's command line. */
  arguments: 50,
  faultLength: 300,
  cards: 500,
  tags: 20,
  tagLength: 60,
} as const;
