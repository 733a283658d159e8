import { test } from "vitest";
import { contestedWrites, contestWrites } from "./contested-writes.ts";

test(contestedWrites, () => contestWrites(200));
