import { test } from "vitest";
import { shareOneDatabase } from "./several-processes.ts";

test(
  "several processes on one PostgreSQL share limits, revocations, events and jobs",
  { timeout: 120_000 },
  () => shareOneDatabase({ kill: false }),
);
