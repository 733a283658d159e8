import { test } from "vitest";
import { shareOneDatabase } from "./several-processes.ts";

test("several processes on one PostgreSQL share limits, revocations, events and jobs", () =>
  shareOneDatabase({ kill: false }));
