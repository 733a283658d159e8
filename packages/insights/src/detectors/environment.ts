/** @module What lies around server and agent: targets, sign-ins, limits, policies, surfaces that changed. */

import { groupBy } from "@fettle/contract/formats";
import { counted } from "../text/scrub.ts";
import { always, type Detector, E, never, once, S, type Seen, U } from "./detector.ts";
import { ownerOf } from "./error-owner.ts";
import { at, byServer, byUnit, hitOf, isServers, serverSubject, toolSubject } from "./sights.ts";

const ofEnvironment = {
  scopes: [E, U],
  category: "environment",
  attribution: "environment",
  actionTarget: "environment",
  actionability: "investigate",
  surface: null,
  isProven: never,
} as const;

const worse = { rate: 0.3, times: 2 };

export const environmentDetectors: readonly Detector[] = [
  {
    ...ofEnvironment,
    id: "target_failures",
    scopes: [S, E],
    see: byUnit(
      ({ target }) => target && { kind: target.kind, id: target.id, label: target.label },
      ({ calls }) => {
        const failed = calls.find(({ end }) => end === "error");
        return failed ? { call: failed.index } : false;
      },
    ),
    fires: ({ rate, restRate }) => restRate !== null && rate >= worse.rate && rate >= worse.times * restRate,
    weight: 0.75,
    evidence: ["tool_error", "contrast"],
    texts: {
      phrase: "tools fail here more than elsewhere",
      observed: ({ subject, rate, restRate }) =>
        `"${subject.label}" fails in ${share(rate)} against ${share(restRate ?? 0)} elsewhere`,
      recommendation: "Compare its configuration with the others': versions, addresses, credentials.",
    },
  },
  {
    ...ofEnvironment,
    id: "policy_blocked_needed",
    scopes: [E],
    *see(unit): Iterable<Seen> {
      const asked = unit.calls.filter(isServers);
      for (const calls of groupBy(asked, ({ serverId, toolName }) => `${serverId}\n${toolName}`).values()) {
        const [first] = calls;
        const blocked = calls.filter(({ end }) => end === "blocked");
        const isNeeded = blocked.length > 0 && unit.verdict === "failed";
        const seen = `"${first.toolName}" was kept from being called.`;
        const hits = isNeeded ? [{ ...hitOf(at(first), blocked), seen }] : [];
        yield { subject: toolSubject(first.serverId, first.toolName), hits };
      }
    },
    actionability: "ready",
    weight: 0.5,
    isProven: always,
    evidence: ["transcript"],
    texts: {
      phrase: "the policy blocks a tool that the task needs",
      observed: ({ times, tool, count, total, unit }) =>
        `${counted(times, "call")} of "${tool}" were blocked in ${count} of ${total} ${unit} that then failed`,
      recommendation: "Allow the tool in the policy of the run, or take out the case that needs it.",
      rootCause: "The tool policy keeps the call from the server, and the case fails for it.",
    },
  },
  {
    ...ofEnvironment,
    id: "auth_interrupted",
    see: byServer(
      (call, unit) => ownerOf(call, unit) === "auth_interrupted",
      ({ authWallOf }) => authWallOf,
    ),
    actionability: "ready",
    weight: 0.75,
    isProven: always,
    evidence: ["tool_error", "transcript"],
    texts: {
      phrase: "signing in interrupts the work",
      recommendation: "Sign in to the server before, or give the environment a credential that lasts.",
      rootCause: "The server asks for a sign-in that the environment does not bring.",
    },
  },
  {
    ...ofEnvironment,
    id: "server_unreachable",
    scopes: [E],
    *see(unit, world) {
      const { unreachable } = unit;
      for (const serverId of new Set([
        ...Object.keys(unit.snapshots),
        ...(unreachable ? [unreachable.serverId] : []),
      ])) {
        const isGone = unreachable?.serverId === serverId;
        const place = { serverId, toolName: null, errorClass: unreachable?.errorClass ?? null };
        const hits = isGone ? [{ place, times: 1, seen: unreachable.template }] : [];
        yield { subject: serverSubject(serverId, world), hits };
      }
    },
    weight: 0.75,
    evidence: ["tool_error"],
    texts: {
      phrase: "cannot be reached",
      recommendation:
        "See that the server runs, and that its address and credentials are right where the run happens.",
    },
  },
  {
    ...ofEnvironment,
    id: "rate_limited",
    see: byServer((call, unit) => ownerOf(call, unit) === "rate_limited"),
    weight: 0.75,
    evidence: ["tool_error"],
    texts: {
      phrase: "calls are turned away for being too many",
      recommendation: "Run fewer at once, or ask for a higher limit.",
    },
  },
  {
    ...ofEnvironment,
    id: "surface_drift",
    scopes: [E],
    *see(unit, world): Iterable<Seen> {
      const { surface, earlierSnapshots } = world;
      for (const [serverId, hash] of Object.entries(unit.snapshots)) {
        const before = earlierSnapshots?.[serverId] ?? hash;
        const newest = surface.snapshotsOf(serverId)[0]?.hash ?? hash;
        const isOther = before !== hash || newest !== hash;
        const hit = {
          place: { serverId, toolName: null },
          times: 1,
          seen: "The server's tools are not those of before.",
        };
        yield { subject: serverSubject(serverId, world), hits: isOther ? [hit] : [] };
      }
    },
    least: once,
    actionability: "informational",
    weight: 0.25,
    evidence: ["transcript"],
    texts: {
      phrase: "its tools changed",
      recommendation: "Compare results across the change with care.",
    },
  },
];

const share = (rate: number) => `${Math.round(rate * 100)}%`;
