/** @module The wire's one way to say when: integer epoch milliseconds. */
import { z } from "zod";

export const Timestamp = z.int().describe("Epoch milliseconds");

/** A moment that a caller names: up to the end of the year 9999, which everything that keeps moments can hold. */
export const latestMoment = 253_402_300_799_999;
export const Moment = z.int().min(0).max(latestMoment).describe("Epoch milliseconds");

/** What whoever changes a thing that others may change has read of it. */
const asLastRead =
  "`updatedAt` as the caller last read it: if it is another by now, the answer is a conflict and nothing changes. `*`: whatever it is now";
export const ExpectedUpdatedAt = z.union([Moment, z.literal("*")]).describe(asLastRead);
export type ExpectedUpdatedAt = z.output<typeof ExpectedUpdatedAt>;

/** The query of a `DELETE`, which has no body to say it in. */
export const AsLastRead = z.strictObject({
  expectedUpdatedAt: z
    .union([z.literal("*"), z.coerce.number().int().min(0).max(latestMoment)])
    .optional()
    .describe(asLastRead),
});

/** Of a change: it says more than what its sender last read. */
export const changesSomething = ({
  expectedUpdatedAt: _,
  ...change
}: {
  expectedUpdatedAt?: ExpectedUpdatedAt | undefined;
}) => Object.keys(change).length > 0;
