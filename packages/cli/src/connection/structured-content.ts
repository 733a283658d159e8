/** @module Holds a tool's structured content to the output schema the tool declares. Loaded only when that is asked for. */
import { judgeContent, type ReportCase } from "@fettle/checks";
import { asMcpError, isObject } from "@fettle/mcp";
import type { Printer } from "../output/printer.ts";
import { text } from "../output/text.ts";
import type { OpenServer } from "./open-server.ts";

/** Undefined when there is nothing to hold it to: no such schema, a result that is an error, a list that cannot be read. */
export async function structuredCase(
  { connection, deadline }: Pick<OpenServer, "connection" | "deadline">,
  toolName: string,
  result: unknown,
  print: Printer,
): Promise<ReportCase | undefined> {
  if (!isObject(result) || result.isError === true) return undefined;
  let outputSchema: unknown;
  try {
    const { items } = await connection.listTools({ signal: deadline.signal });
    outputSchema = items.find(({ name }) => name === toolName)?.outputSchema;
  } catch (error) {
    print.note(text`The structured content was not checked: ${asMcpError(error).message}`);
    return undefined;
  }
  if (!isObject(outputSchema)) return undefined;
  const { faults, unchecked } =
    result.structuredContent === undefined
      ? {
          faults: ["the tool declares an output schema, and the result has no structuredContent"],
          unchecked: [],
        }
      : judgeContent(outputSchema, result.structuredContent);
  return {
    id: "structured-content",
    title: "The structured content fits the tool's output schema",
    category: "validation",
    passed: faults.length === 0,
    ...(faults.length > 0 && { error: faults.join("; "), details: { faults } }),
    ...(unchecked.length > 0 && { unchecked }),
  };
}
