/** @module How the calls that were made are held against the expected ones. Two vocabularies are read, one is answered. */
import { z } from "zod";

const extra = z.int32().min(0);
const argumentModes = z.enum(["ignore", "partial", "exact"]);

export const EvalMatchOptions = z
  .strictObject({
    toolCallOrder: z.enum(["any", "in-order", "exact"]).optional(),
    extraToolCalls: z.union([z.literal("unlimited"), extra]).optional(),
    arguments: argumentModes.optional(),
  })
  .meta({ id: "EvalMatchOptions" });
export type EvalMatchOptions = z.output<typeof EvalMatchOptions>;

const orders = { ignore: "any", superset: "in-order", strict: "exact" } as const;
const innerOrders = z.enum(["ignore", "superset", "strict"]);

/** The words of the API, or the older ones; both at once would leave open which counts. */
export const EvalMatchOptionsInput = z
  .strictObject({
    toolCallOrder: z.union([z.enum(["any", "in-order", "exact"]), innerOrders]).optional(),
    extraToolCalls: z.union([z.literal("unlimited"), extra]).optional(),
    arguments: argumentModes.optional(),
    maxExtraToolCalls: extra
      .nullable()
      .optional()
      .describe("The older word for `extraToolCalls`; null: unlimited"),
    argumentMatching: argumentModes.optional().describe("The older word for `arguments`"),
  })
  .refine(
    ({ toolCallOrder, extraToolCalls, arguments: mode, maxExtraToolCalls, argumentMatching }) => {
      const isOld = innerOrders.safeParse(toolCallOrder).success;
      const old = isOld || maxExtraToolCalls !== undefined || argumentMatching !== undefined;
      const current =
        (toolCallOrder !== undefined && !isOld) || extraToolCalls !== undefined || mode !== undefined;
      return !(old && current);
    },
    {
      error: "mixes two vocabularies; use toolCallOrder any, in-order or exact, extraToolCalls and arguments",
      params: { code: "MATCH_OPTIONS_MIXED" },
    },
  )
  .transform((given): EvalMatchOptions => {
    const { toolCallOrder, maxExtraToolCalls } = given;
    const order = innerOrders.safeParse(toolCallOrder).data;
    const extraToolCalls =
      maxExtraToolCalls === undefined ? given.extraToolCalls : (maxExtraToolCalls ?? "unlimited");
    const mode = given.arguments ?? given.argumentMatching;
    return {
      ...(toolCallOrder !== undefined && {
        toolCallOrder: order ? orders[order] : (toolCallOrder as EvalMatchOptions["toolCallOrder"]),
      }),
      ...(extraToolCalls !== undefined && { extraToolCalls }),
      ...(mode !== undefined && { arguments: mode }),
    };
  });
