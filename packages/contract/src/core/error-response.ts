/** @module The body of every failing answer. `ApiError` carries it inside our own code; this is its shape on the wire. */
import { z } from "zod";
import { errorStatus } from "./errors.ts";

const known = Object.keys(errorStatus)
  .map((code) => `\`${code}\``)
  .join(", ");

export const ErrorResponse = z
  .object({
    // A string, not an enum: a reader must survive a code that is newer than itself.
    code: z
      .string()
      .describe(
        `Stable, for machines. Today: ${known}. Treat an unknown one as final unless the status says otherwise`,
      ),
    message: z.string().describe("For people; may change between releases"),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "Error" });
