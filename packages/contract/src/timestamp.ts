/** @module The wire's one way to say when: integer epoch milliseconds. */
import { z } from "zod";

export const Timestamp = z.int().describe("Epoch milliseconds");

/** What whoever changes a thing that others may change has read of it. */
export const ExpectedUpdatedAt = Timestamp.describe(
  "`updatedAt` as the caller last read it: another answer is a conflict, and nothing is changed",
);
