/** @module Rules that both publishers have, word for word alike but for whose they are. */
import { isLoopbackHost } from "@fettle/mcp";
import type { ReadinessEvidence, ServerEvidence } from "./evidence.ts";
import { notEvaluated, type ReadinessRule, type RuleSource, satisfied, verdictOf, violated } from "./rule.ts";
import { ofServer } from "./server-facts.ts";
import type { SubmissionProfile } from "./submission/profile.ts";

/** What most rules of a file have in common, said once. */
export function rulesOf<Common extends Partial<ReadinessRule>>(
  common: Common,
  rows: readonly (Omit<ReadinessRule, keyof Common> & Partial<ReadinessRule>)[],
): ReadinessRule[] {
  // Each row adds what the common part leaves out, which the types above demand.
  return rows.map((row) => ({ ...common, ...row }) as ReadinessRule);
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

/** One that others can open too. */
export function isPublicHttps(address: string | undefined): boolean {
  const url = address === undefined ? null : URL.parse(address);
  return url?.protocol === "https:" && !isLoopbackHost(url.hostname);
}

type Shot = NonNullable<NonNullable<SubmissionProfile["claude"]>["screenshots"]>[number];

/** What the files of screenshots say against the profile. */
export function shotFaults(shots: readonly Shot[], { screenshots }: ReadinessEvidence): string[] {
  return shots.flatMap(({ file, width, height }) => {
    const seen = screenshots?.[file];
    if (!seen) return [];
    if ("unread" in seen) return [`${file} cannot be read: ${seen.unread}.`];
    if ("fault" in seen) return [`${file}: ${seen.fault}.`];
    if (seen.kind === "other") return [`${file} is no picture.`];
    const isAsSaid = seen.width === width && seen.height === height;
    return isAsSaid
      ? []
      : [`${file} has ${seen.width} x ${seen.height} px; the profile says ${width} x ${height}.`];
  });
}

/** Of a text that a listing needs, within its length. */
export function textFaults(label: string, text: string | undefined, most: number): string[] {
  if (text === undefined) return [`${label} is missing.`];
  return text.length > most ? [`${label} has ${text.length} characters; ${most} are allowed.`] : [];
}
