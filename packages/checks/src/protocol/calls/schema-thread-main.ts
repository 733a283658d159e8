/** @module The thread that applies server schemas: one question at a time, one answer each. */
import { parentPort } from "node:worker_threads";
import { judgeContent } from "./output-schema.ts";
import type { SchemaQuestion } from "./schema-thread.ts";

parentPort?.on("message", ({ schema, content }: SchemaQuestion) => {
  parentPort?.postMessage(judgeContent(schema, content));
});
