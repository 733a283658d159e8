/** @module Agent runtimes that bring tools of their own, beside those of servers. */
import { z } from "zod";
import { jsonObject } from "../core/json-object.ts";

export const harnesses = ["claude-code"] as const;

export const HarnessTool = z
  .object({
    key: z.string().describe("Stays the same when the runtime renames the tool"),
    name: z.string().describe("As the runtime calls it"),
    commonName: z.string().optional().describe("What tools of this kind are called across runtimes"),
    toolUseKind: z.string().optional().describe("read, write, execute, network, plan or ask"),
    description: z.string().optional(),
    inputSchema: jsonObject.optional(),
  })
  .meta({ id: "HarnessTool" });
export type HarnessTool = z.output<typeof HarnessTool>;
