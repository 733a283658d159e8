/** @module The trace of a reported result: an object, a list of messages, or a text. */
import type { EvalIngestDropped, EvalIngestResult } from "@fettle/contract/evals";
import { z } from "zod";

const Messages = z.array(z.looseObject({ role: z.string() }));
const Objects = z.array(z.looseObject({}));
const nothing = { messages: [], spans: [] };
const Trace = z.union(
  [
    z.string().transform((content) => ({ messages: [{ role: "assistant", content }], spans: [] })),
    Messages.transform((messages) => ({ messages, spans: [] })),
    z.looseObject({ messages: Objects.catch([]), spans: Objects.catch([]) }),
    z.null().transform(() => nothing),
  ],
  "The trace is neither an object, a list of {role, content} messages, nor a text.",
);

/** What of it can be shown; whatever else it says is kept beside that. */
export function readTrace({ trace }: EvalIngestResult): { messages: object[]; spans: object[] } {
  const { messages, spans } = Trace.parse(trace ?? null);
  return { messages, spans };
}

/** Results whose trace cannot be read are dropped alone: the others of a report are worth keeping. */
export function dropUnreadable(results: readonly EvalIngestResult[]): {
  readable: EvalIngestResult[];
  dropped: EvalIngestDropped[];
} {
  const dropped = results.flatMap(({ trace, caseTitle, externalIterationId }, index) => {
    const reason = Trace.safeParse(trace ?? null).error?.issues[0]?.message;
    if (reason === undefined) return [];
    return [{ index, caseTitle, ...(externalIterationId !== undefined && { externalIterationId }), reason }];
  });
  const isDropped = new Set(dropped.map(({ index }) => index));
  return { readable: results.filter((_, index) => !isDropped.has(index)), dropped };
}
