/** @module `doctor(target)`: is this server well, and if not, what is wrong and what to try next. */
import { loadHosts, redactKnowingInTurn, secretsOf, type Target } from "@fettle/mcp";
import { factsOf } from "../compat/host-facts.ts";
import type { DoctorReport } from "./doctor-report.ts";
import { judgeDoctor } from "./doctor-verdict.ts";
import { type DoctorOptions, examine } from "./examine.ts";

/**
 * Examines a server step by step. A sick server is a report, never an exception.
 *
 * @example
 * const report = await doctor(parseTarget({ url: "http://127.0.0.1:3001/mcp" }), { timeoutMs: 10_000 });
 * for (const finding of report.findings) console.log(finding.summary, finding.next.text);
 */
export async function doctor(target: Target, options: DoctorOptions = {}): Promise<DoctorReport> {
  const [seen, hosts] = await Promise.all([examine(target, options), loadHosts()]);
  return redactKnowingInTurn(judgeDoctor(seen, hosts.map(factsOf)), secretsOf(target));
}
