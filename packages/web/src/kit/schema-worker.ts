/** @module The worker that applies one schema to one value, and is gone afterwards. */
import * as checker from "@cfworker/json-schema";
import { type SchemaVerdict, schemaJudge } from "@fettle/contract/servers";

export interface SchemaQuestion {
  schema: unknown;
  value: unknown;
}

export type SchemaAnswer = SchemaVerdict | { why: string };

const answerTo = ({ schema, value }: SchemaQuestion): SchemaAnswer => {
  if (typeof schema !== "object" || schema === null) return { faults: [], unchecked: [] };
  try {
    return schemaJudge(checker)({ ...schema }, value);
  } catch (error) {
    return { why: `cannot be applied (${String((error as Error).message).slice(0, 200)})` };
  }
};

self.onmessage = ({ data }: MessageEvent<SchemaQuestion>) => self.postMessage(answerTo(data));
