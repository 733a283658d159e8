/**
 * @module Checks a value against a JSON Schema that a server wrote. The work is done by a worker, which is ended when it takes
 * too long: a small schema can demand more time than there is, and the page must stay usable meanwhile.
 */

import { withPlainNumbers } from "@fettle/contract/formats";
import type { SchemaVerdict, ValueFault } from "@fettle/contract/servers";
import type { Json } from "../lib/json-exact.ts";
import type { SchemaAnswer, SchemaQuestion } from "./schema-worker.ts";
import workerUrl from "./schema-worker.ts?worker&url";

/** What a page shows of one. */
export type SchemaFault = Pick<ValueFault, "at" | "message">;

/** `unusable` says nothing about the value; `why` follows "it". */
export type ValueCheck = ({ kind: "checked" } & SchemaVerdict) | { kind: "unusable"; why: string };

const mostMs = 3_000;

/** Pages refuse addresses of scripts that no policy has vouched for; this one vouches for the worker alone. Not every browser asks. */
let trusted: { createScriptURL(url: string): string } | undefined;
function trustedUrl(): string {
  const { trustedTypes } = globalThis as TrustingWindow;
  trusted ??= trustedTypes?.createPolicy("fettle-schema-worker", { createScriptURL: () => workerUrl });
  return trusted?.createScriptURL(workerUrl) ?? workerUrl;
}

/** TypeScript's DOM does not know trusted types yet; what a policy makes is taken where a text is. */
interface TrustingWindow {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL: () => string },
    ): { createScriptURL(url: string): string };
  };
}

export function checkAgainst(schema: Json, value: Json): Promise<ValueCheck> {
  const worker = new Worker(trustedUrl(), { type: "module" });
  const answered = new Promise<ValueCheck>((resolve) => {
    const deadline = setTimeout(
      () => resolve({ kind: "unusable", why: `takes more than ${mostMs / 1_000} seconds to apply` }),
      mostMs,
    );
    worker.onmessage = ({ data }: MessageEvent<SchemaAnswer>) => {
      clearTimeout(deadline);
      resolve("why" in data ? { kind: "unusable", why: data.why } : { kind: "checked", ...data });
    };
    worker.onerror = () => {
      clearTimeout(deadline);
      resolve({ kind: "unusable", why: "could not be read by the checker" });
    };
  });
  try {
    const question: SchemaQuestion = { schema: withPlainNumbers(schema), value: withPlainNumbers(value) };
    worker.postMessage(question);
  } catch {
    worker.terminate();
    return Promise.resolve({ kind: "unusable", why: "is nested too deeply to be checked" });
  }
  return answered.finally(() => worker.terminate());
}
