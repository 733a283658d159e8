/** @module `fettle compat`: on which AI hosts a server's tools and widgets work, and what stands in the way elsewhere. */

import {
  type CompatVerdict,
  compatVerdicts,
  compatWithoutSecrets,
  factsOf,
  judgeCompat,
  observeCompat,
} from "@fettle/checks";
import { exitCodes } from "@fettle/contract/core";
import { type HostProfile, redactKnowing, secretsOf } from "@fettle/mcp";
import { usageError } from "../../cli-error.ts";
import { findCatalog } from "../../cloud/host-catalog.ts";
import { compatText } from "../../connection/compat-text.ts";
import { asUntold } from "../../connection/failure.ts";
import { type ProtocolVersion, protocolVersions } from "../../connection/flags.ts";
import { withServer } from "../../connection/open-server.ts";
import type { Outcome } from "../../output/printer.ts";
import { count } from "../../output/table.ts";
import { text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { unknownName } from "../../program/near-names.ts";
import type { compatFlags } from "./flags.ts";

export async function run(call: Call<typeof compatFlags, NoArguments>): Promise<Outcome> {
  const { host: wanted, failOn = "none", ...flags } = call.flags;
  const { catalog, catalogSource, catalogVersion } = await findCatalog(call);
  const hosts = selectHosts(catalog, wanted);
  const judging = withServer({ ...call, flags }, async ({ connection, plan, deadline, connectAt }) => {
    // Those of this release have no version of their own: theirs is the release's, and the report says 0.
    const which = catalogSource === "live" ? `live, version ${catalogVersion}` : "bundled with this release";
    call.print.note(text`Facts about ${count(hosts.length, "host")}: ${which}.`);
    const seen = await observeCompat(connection, {
      target: plan.target,
      versions: flags.protocolVersion === undefined ? versionsOf(hosts) : [],
      connectAt: (version) => connectAt(version as ProtocolVersion),
      signal: deadline.signal,
    });
    // Judged as it is, shown without what the server repeats of the credentials it was sent.
    const secrets = secretsOf(plan.target);
    const judged = compatWithoutSecrets(judgeCompat(seen, hosts.map(factsOf)), secrets);
    const observed = { ...seen, versions: redactKnowing(seen.versions, secrets) };
    return {
      value: {
        target: plan.facts.label,
        catalogSource,
        catalogVersion: catalogSource === "live" ? catalogVersion : 0,
        protocolVersions: observed.versions,
        ...judged,
      },
      human: (view) => compatText(judged, observed, view),
      exitCode: judged.hosts.some(({ verdict }) => isFailure(verdict, failOn))
        ? exitCodes.failed
        : hasLearnedNothing(judged.hosts)
          ? exitCodes.incomplete
          : exitCodes.ok,
    };
  });
  return judging.catch((error: unknown) => {
    throw asUntold(error);
  });
}

function selectHosts(catalog: readonly HostProfile[], wanted: readonly string[]): HostProfile[] {
  const unknown = wanted.find((id) => !catalog.some((host) => host.id === id));
  if (unknown !== undefined) {
    const ids = catalog.map(({ id }) => id);
    throw usageError(
      `No host is called "${unknown}".`,
      unknownName(unknown, ids, `Known hosts: ${ids.join(", ")}.`),
    );
  }
  return wanted.length === 0 ? [...catalog] : catalog.filter(({ id }) => wanted.includes(id));
}

/** Every version these hosts speak, as far as Fettle speaks it too. */
function versionsOf(hosts: readonly HostProfile[]): ProtocolVersion[] {
  const spoken = new Set(hosts.flatMap(({ protocol }) => protocol.advertisedVersions ?? []));
  return protocolVersions.filter((version) => spoken.has(version));
}

/** Where nothing is known of the tools, at most the address rules some hosts out. */
function hasLearnedNothing(hosts: readonly { verdict: CompatVerdict }[]): boolean {
  const verdicts = new Set(hosts.map(({ verdict }) => verdict));
  return verdicts.has("unknown") && !verdicts.has("works") && !verdicts.has("degraded");
}

function isFailure(verdict: CompatVerdict, failOn: "none" | "degraded" | "blocked"): boolean {
  return failOn !== "none" && compatVerdicts.indexOf(verdict) >= compatVerdicts.indexOf(failOn);
}
