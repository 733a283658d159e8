/** @module On which AI hosts a saved server works: looked at over connections of its own, judged as the terminal does. */
import { compatWithoutSecrets, factsOf, judgeCompat, observeCompat } from "@fettle/checks";
import type { ServerCompat } from "@fettle/contract/servers";
import { connect, loadHostCatalog, redactKnowing } from "@fettle/mcp";
import { toldFailure } from "./failure.ts";
import { type LiveCall, recorderFor } from "./session.ts";

export async function checkCompat(call: LiveCall): Promise<ServerCompat> {
  const { server, signal } = call;
  const { target, timeoutMs, options, secrets } = await call.reach();
  const recorder = recorderFor(secrets);
  const timeouts = { connectMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs };
  const { catalog, version } = await loadHostCatalog();
  const versions = [...new Set(catalog.flatMap(({ protocol }) => protocol.advertisedVersions ?? []))].sort();
  const open = (protocolVersion?: string) =>
    connect(target, {
      ...options,
      timeouts,
      signal,
      recorder,
      ...(protocolVersion !== undefined && { protocolVersion }),
    });
  try {
    await using connection = await open();
    const observed = await observeCompat(connection, { target, versions, connectAt: open, signal });
    const { hosts, ...judged } = compatWithoutSecrets(judgeCompat(observed, catalog.map(factsOf)), secrets);
    return {
      checkedAt: call.now(),
      catalogVersion: version,
      // Spread, because the wire's objects are open and these are not.
      protocolVersions: redactKnowing(observed.versions, secrets).map((reading) => ({ ...reading })),
      toolCount: "fault" in observed.tools ? null : observed.tools.items.length,
      ...judged,
      hosts: hosts.map((host) => ({
        ...host,
        findings: host.findings.map((finding) => ({
          ...finding,
          sources: finding.sources.map((source) => ({ ...source })),
        })),
      })),
    };
  } catch (error) {
    throw toldFailure(error, server);
  } finally {
    call.heard(recorder);
  }
}
