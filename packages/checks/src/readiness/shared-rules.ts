/** @module Rules that both publishers have, word for word alike but for whose they are. */
import type { ServerEvidence } from "./evidence.ts";
import { notEvaluated, type ReadinessRule, type RuleSource, satisfied, verdictOf, violated } from "./rule.ts";
import { ofServer } from "./server-facts.ts";

/** What most rules of a file have in common, said once. */
export function rulesOf<Common extends Partial<ReadinessRule>>(
  common: Common,
  rows: readonly (Omit<ReadinessRule, keyof Common> & Partial<ReadinessRule>)[],
): ReadinessRule[] {
  // Each row adds what the common part leaves out, which the types above demand.
  return rows.map((row) => ({ ...common, ...row }) as unknown as ReadinessRule);
}

export function endpointRules(prefix: string, source: RuleSource): ReadinessRule[] {
  const common = {
    lane: "runtime-compatibility",
    class: "runtime-blocker",
    provenance: "wire",
    intrusiveness: "passive",
    source,
  } as const;
  return rulesOf(common, [
    {
      id: `${prefix}.https`,
      title: "The server's address is https",
      remediation: "Serve it over TLS, and list the https address.",
      judge: ofServer(({ url }) =>
        new URL(url).protocol === "https:" ? satisfied() : violated(`${url} is not https.`),
      ),
    },
    {
      id: `${prefix}.redirects-stay-https`,
      title: "No redirect leaves https",
      remediation: "Redirect to https addresses only, or list the address that answers.",
      requiresCapabilities: ["raw-origin"],
      judge: ofServer(({ trace }) => {
        const plain = trace.hops.slice(1).filter((hop) => new URL(hop).protocol !== "https:");
        if (plain.length > 0) return verdictOf(plain.map((hop) => `It redirects to ${hop}.`));
        return trace.end === "unreachable" ? unreached(trace) : satisfied();
      }),
    },
    {
      id: `${prefix}.redirects-terminate`,
      title: "Redirects come to an end",
      remediation: "Answer where the redirect leads instead of redirecting again.",
      requiresCapabilities: ["raw-origin"],
      judge: ofServer(({ trace }) => {
        if (trace.end === "unreachable") return unreached(trace);
        return trace.end === "answered"
          ? satisfied()
          : violated(`${trace.hops.length - 1} redirects later nothing answers.`, { hops: trace.hops });
      }),
    },
  ]);
}

const unreached = ({ why }: ServerEvidence["trace"]) =>
  notEvaluated("serverAnswer", why ?? "The server did not answer.");

export function isHttps(address: string | undefined): boolean {
  return address !== undefined && URL.parse(address)?.protocol === "https:";
}

/** Of a text that a listing needs, within its length. */
export function textFaults(label: string, text: string | undefined, most: number): string[] {
  if (text === undefined) return [`${label} is missing.`];
  return text.length > most ? [`${label} has ${text.length} characters; ${most} are allowed.`] : [];
}
