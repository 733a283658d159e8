/** @module What machines ask about this process: is it alive, may it be sent requests, what has it counted. */

import { createHash, timingSafeEqual } from "node:crypto";
import type { Secret } from "@fettle/contract/secrets";
import { isLoopbackHost } from "../core/config/option-values.ts";
import { missing } from "../core/routing/not-found.ts";
import type { RawRoute } from "../core/routing/raw-route.ts";
import { bearerOf } from "./caller/identify.ts";
import type { Metrics } from "./metrics.ts";

export interface Readiness {
  /** Why no requests should be sent here, or nothing. */
  reason: "starting" | "stopping" | undefined;
}

export function probeRoutes(readiness: Readiness, metrics: Metrics): RawRoute[] {
  return [
    {
      id: "healthz",
      methods: ["GET"],
      path: "/healthz",
      policy: "public",
      why: "Tells a supervisor that the process answers; says nothing else.",
      handle: () => ({ status: "ok" }),
    },
    {
      id: "readyz",
      methods: ["GET"],
      path: "/readyz",
      policy: "public",
      why: "Tells a load balancer whether to send requests; says nothing else.",
      handle: async ({ app, reply }) => {
        const reason = readiness.reason ?? (await app.health.outage());
        if (reason === undefined) return { ready: true };
        return reply.status(503).header("retry-after", "1").send({ ready: false, reason });
      },
    },
    {
      id: "metrics",
      methods: ["GET"],
      path: "/metrics",
      policy: "own",
      why: "Prometheus text, to this machine alone, or to whoever holds FETTLE_METRICS_TOKEN.",
      handle: async ({ app, request, reply }) => {
        if (!mayReadMetrics(app.config.metricsToken, request.ip, bearerOf(request.headers))) {
          throw missing("There is no such page.", "Check the address.");
        }
        return reply.type("text/plain; version=0.0.4").send(await metrics.render());
      },
    },
  ];
}

function mayReadMetrics(token: Secret | undefined, ip: string, bearer: string | undefined): boolean {
  if (isLoopbackHost(ip)) return true;
  return token !== undefined && bearer !== undefined && isSame(token.reveal(), bearer);
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
