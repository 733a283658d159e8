/** @module The wire's one way to say when: integer epoch milliseconds. */
import { z } from "zod";

export const Timestamp = z.int().describe("Epoch milliseconds");
