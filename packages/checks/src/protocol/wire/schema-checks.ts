/** @module The check that grades the run's own traffic: every message of the server against the published schema of the revision. */
import { type Inbound, isAnswerWithoutId, isObject, promptProblems } from "@fettle/mcp";
import { resultReason, toolResultFaults } from "../../diagnostics/tool-result.ts";
import { couldNotRun } from "../../verdict/check-result.ts";
import { from, spec } from "../../verdict/specification.ts";
import { type Exchange, isForeign, shown } from "../conversation/exchange.ts";
import { judged } from "../conversation/verdicts.ts";
import type { ProtocolCheck } from "../protocol-check.ts";
import { reasonOf } from "./checks.ts";
import type { WireSchema } from "./schema.ts";

export const wireSchemaChecks: ProtocolCheck[] = [
  {
    id: "wire-schema-valid",
    title: "Every message fits the schema",
    description:
      "Every message of the run validates against the revision's published JSON Schema, and every result against that of its method.",
    category: "protocol",
    rules: [...spec("schema", from("2025-03-26"), "Schema", "basic#schema")],
    needs: ["transcript", "wireSchema"],
    isLast: true,
    judge({ transcript, wireSchema }) {
      const { faults, messages, correlated } = validateTraffic(transcript, wireSchema);
      if (messages === 0) return couldNotRun("No message of the server was observed.");
      return judged(
        faults.map(({ fault }) => fault),
        [],
        {
          messages,
          correlated,
          violations: faults.length,
          schemaDigest: wireSchema.digest,
          ...(faults.length > 0 && { evidence: faults.slice(0, 10).map(({ message }) => shown(message)) }),
        },
      );
    },
  },
];

interface TrafficFault {
  method: string;
  fault: string;
  message: unknown;
}

/** The same fault of the same method is told once. */
export function validateTraffic(
  transcript: readonly Exchange[],
  schema: WireSchema,
): { faults: TrafficFault[]; messages: number; correlated: number } {
  const faults = new Map<string, TrafficFault>();
  const tell = (method: string, fault: string, message: unknown) => {
    const key = `${method} ${fault.replace(/\d+/g, "#")}`;
    if (!faults.has(key)) faults.set(key, { method, fault, message });
  };
  let messages = 0;
  let correlated = 0;
  const asked = new Map(transcript.map(({ session, id, method }) => [`${session} ${id}`, method]));
  for (const exchange of transcript) {
    const { method = "", heard, answer } = exchange;
    for (const inbound of heard) {
      messages += 1;
      if (inbound.kind === "malformed") {
        if (!inbound.limit && !isToldElsewhere(inbound, exchange))
          tell(method, `${method}: ${inbound.reason}`, inbound.message ?? inbound.excerpt);
        continue;
      }
      const answers = inbound === answer ? method : undefined;
      if (answers !== undefined && schema.knowsResultOf(answers)) correlated += 1;
      // A second answer may come while the next request waits.
      const what =
        inbound.kind === "notification" || inbound.kind === "request"
          ? inbound.method
          : (asked.get(`${exchange.session} ${inbound.id}`) ?? method);
      const plain = answers === undefined ? [] : plainFaults(exchange, inbound);
      const found = schema.faultsOf(inbound.message, answers);
      if (found.length === 0) continue;
      for (const fault of plain.length > 0 ? plain : found.map((one) => `${what}: ${one}`))
        tell(what, fault, inbound.message);
    }
  }
  return { faults: [...faults.values()], messages, correlated };
}

/** In the words of every other command, where they have some; the schema's own errors are for those who know it. */
function plainFaults(
  { method, params }: Exchange,
  inbound: Exclude<Inbound, { kind: "malformed" }>,
): string[] {
  if (inbound.kind !== "result") return [];
  if (method === "tools/call") return toolResultFaults(inbound.result).map(resultReason);
  if (method !== "prompts/get" || !isObject(inbound.result)) return [];
  return promptProblems(params?.name, inbound.result).map(reasonOf);
}

/** Noise on stdout, a body where none belongs, an outage's own words and an answer without its id have checks of their own. */
function isToldElsewhere(inbound: Inbound, exchange: Exchange): boolean {
  const isOverStdio = exchange.http === undefined;
  return isOverStdio || exchange.id === undefined || isForeign(exchange) || isAnswerWithoutId(inbound);
}
