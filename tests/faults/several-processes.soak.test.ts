import { test } from "vitest";
import { shareOneDatabase } from "./several-processes.ts";

test("killing a serve and a work process loses no job and runs none twice", () =>
  shareOneDatabase({ kill: true }));
