/**
 * @module Structured content held to its schema on a thread of its own, so that a schema that explodes holds up nobody else in
 * this process. Threads start when they are first needed, few at a time, and keep no process alive.
 */
import { Worker } from "node:worker_threads";
import { withPlainNumbers } from "@fettle/contract/formats";
import type { JsonObject } from "@fettle/mcp";
import { type ContentVerdict, judgeContent } from "./output-schema.ts";

export interface SchemaQuestion {
  schema: JsonObject;
  content: unknown;
}

/** As many schemas are applied at once; the others wait. */
const mostThreads = 2;
/** The thread has a watchdog of its own; this is for one that does not even come to that. */
const longestMs = 30_000;
/** A schema may make the checker remember a lot. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

interface Thread {
  worker: Worker;
  /** What is done with its answer, or with why there is none; nothing while it rests. */
  onAnswer?: (verdict: ContentVerdict) => void;
  onEnd?: (why: string) => void;
}

const resting: Thread[] = [];
const waiting: (() => void)[] = [];
let working = 0;

/** As `judgeContent`, without holding up the thread that asks. */
export async function judgeContentApart(schema: JsonObject, content: unknown): Promise<ContentVerdict> {
  if (isQuick(schema, content)) return judgeContent(schema, content);
  if (working >= mostThreads) await new Promise<void>((resolve) => waiting.push(resolve));
  else working++;
  try {
    return await ask({ schema: withPlainNumbers(schema), content: withPlainNumbers(content) });
  } finally {
    // The place goes to the next in line, or is free.
    const next = waiting.shift();
    if (next) next();
    else working--;
  }
}

/** Schema and content together, in characters; each part of one may meet each part of the other. */
const quickLength = 8_000;
/** What makes a small schema take long: references that multiply, expressions that backtrack. */
const slowKeyword = /"(\$\w*[rR]ef|pattern|patternProperties|format)":/;

/** Sooner judged than a thread is started. */
function isQuick(schema: JsonObject, content: unknown): boolean {
  const text = JSON.stringify(schema);
  if (text.length > quickLength || slowKeyword.test(text)) return false;
  return text.length + (JSON.stringify(content) ?? "").length <= quickLength;
}

function ask(question: SchemaQuestion): Promise<ContentVerdict> {
  const thread = resting.pop() ?? start();
  const { worker } = thread;
  worker.ref();
  return new Promise((resolve) => {
    const settle = (verdict: ContentVerdict) => {
      clearTimeout(late);
      delete thread.onAnswer;
      delete thread.onEnd;
      resolve(verdict);
    };
    thread.onAnswer = (verdict) => {
      worker.unref();
      resting.push(thread);
      settle(verdict);
    };
    thread.onEnd = (why) => {
      void worker.terminate();
      settle({ faults: [`#: the schema was not evaluated: ${why}`], unchecked: [] });
    };
    const late = setTimeout(() => thread.onEnd?.(`it takes more than ${longestMs} ms to apply`), longestMs);
    worker.postMessage(question);
  });
}

/** Sources are run as they are; in the bundle the thread's file lies beside it. */
function start(): Thread {
  const file = import.meta.url.endsWith(".ts") ? "./schema-thread-main.ts" : "./schema-thread.mjs";
  const thread: Thread = { worker: new Worker(new URL(file, import.meta.url), { resourceLimits }) };
  const end = (why: string) => {
    // One that dies while it rests is not asked again.
    const index = resting.indexOf(thread);
    if (index >= 0) resting.splice(index, 1);
    thread.onEnd?.(why);
  };
  thread.worker
    .on("message", (verdict: ContentVerdict) => thread.onAnswer?.(verdict))
    .on("error", (error: Error) => end(error.message.slice(0, 200)))
    .on("exit", () => end("the thread that applied it ended"));
  return thread;
}
