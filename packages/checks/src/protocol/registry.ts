/** @module Every protocol check. Which of them count, `profiles.ts` says. */
import { answerIdChecks } from "./answer-id-checks.ts";
import { askingChecks } from "./asking-checks.ts";
import { cacheChecks } from "./cache-checks.ts";
import { callChecks } from "./call-checks.ts";
import { callInputChecks } from "./call-input-checks.ts";
import { envelopeChecks } from "./envelope-checks.ts";
import { identifierChecks } from "./identifier-checks.ts";
import { lifecycleChecks } from "./lifecycle-checks.ts";
import { promptChecks } from "./prompt-checks.ts";
import { promptContentChecks } from "./prompt-content-checks.ts";
import type { ProtocolCheck } from "./protocol-check.ts";
import { readingChecks } from "./reading-checks.ts";
import { roundTripChecks } from "./round-trip-checks.ts";
import { routingChecks } from "./routing-checks.ts";
import { sessionChecks } from "./session-checks.ts";
import { statelessnessChecks } from "./statelessness-checks.ts";
import { stdioChecks } from "./stdio-checks.ts";
import { subscriptionChecks } from "./subscription-checks.ts";
import { toolChecks } from "./tool-checks.ts";
import { trafficChecks } from "./traffic-checks.ts";
import { transportChecks } from "./transport-checks.ts";
import { versionChecks } from "./version-checks.ts";
import { wireChecks } from "./wire-checks.ts";
import { wireSchemaChecks } from "./wire-schema-checks.ts";

export const protocolChecks: readonly ProtocolCheck[] = [
  ...lifecycleChecks,
  ...envelopeChecks,
  ...routingChecks,
  ...cacheChecks,
  ...roundTripChecks,
  ...toolChecks,
  ...callChecks,
  ...callInputChecks,
  ...readingChecks,
  ...promptChecks,
  ...transportChecks,
  ...sessionChecks,
  ...stdioChecks,
  ...wireSchemaChecks,
  ...answerIdChecks,
  ...subscriptionChecks,
  ...versionChecks,
  ...statelessnessChecks,
  ...wireChecks,
  ...trafficChecks,
  ...askingChecks,
  ...identifierChecks,
  ...promptContentChecks,
];
