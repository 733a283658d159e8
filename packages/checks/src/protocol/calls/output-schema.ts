/** @module Does structured content keep to the schema its tool declares? Schema and content are both the server's, so nothing in them is run. */
import * as checker from "@cfworker/json-schema";
import { withPlainNumbers } from "@fettle/contract/formats";
import { notCheckedText, type SchemaVerdict, schemaJudge } from "@fettle/contract/servers";
import type { JsonObject } from "@fettle/mcp";

/** Longest one judgement may take: references can make a small schema explode. */
const judgeMs = 2_000;
const mostFaults = 5;
const judgeBySchema = schemaJudge(checker);

export interface ContentVerdict {
  /** Why the content does not fit; none when it does, as far as could be told. */
  faults: string[];
  /** What of the schema was not evaluated, each with its reason. */
  unchecked: string[];
}

export function judgeContent(schema: JsonObject, content: unknown): ContentVerdict {
  const judge = () => judgeBySchema(withPlainNumbers(schema), withPlainNumbers(content));
  // Loaded here and not above: a tool that declares no schema needs none.
  const { runInNewContext } = process.getBuiltinModule("node:vm");
  try {
    // Only a context of its own has a watchdog that ends what runs in it.
    const verdict: SchemaVerdict = runInNewContext("judge()", { judge }, { timeout: judgeMs });
    return {
      faults: verdict.faults.slice(0, mostFaults).map(({ at, message }) => `#${at && `/${at}`}: ${message}`),
      unchecked: verdict.unchecked.map(notCheckedText),
    };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const why =
      code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
        ? `takes more than ${judgeMs} ms to apply; it was not evaluated`
        : `cannot be applied (${message.slice(0, 200)})`;
    return { faults: [`#: the schema ${why}`], unchecked: [] };
  }
}
