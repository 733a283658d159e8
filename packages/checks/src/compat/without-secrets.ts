/** @module A judgement for eyes other than the server's: what it repeats of the credentials it was sent is taken out. */
import { type KnownSecret, redactKnowing } from "@fettle/mcp";
import type { CompatJudgement } from "./compat-report.ts";

/** The codes of findings are our own words; under that name redaction would take them for authorization codes. */
export function compatWithoutSecrets(
  judged: CompatJudgement,
  secrets: readonly KnownSecret[],
): CompatJudgement {
  return {
    ...redactKnowing(judged, secrets),
    hosts: judged.hosts.map((host) => ({
      ...redactKnowing(host, secrets),
      findings: host.findings.map((finding) => ({
        ...redactKnowing(finding, secrets),
        code: finding.code,
      })),
    })),
  };
}
