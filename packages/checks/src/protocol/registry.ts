/** @module Every protocol check. Which of them count, `profiles.ts` says. */
import { callChecks } from "./calls/checks.ts";
import { callInputChecks } from "./calls/input-checks.ts";
import { envelopeChecks } from "./envelope/checks.ts";
import { lifecycleChecks } from "./lifecycle/checks.ts";
import { cacheChecks } from "./lists/cache-checks.ts";
import { toolChecks } from "./lists/tool-checks.ts";
import type { ProtocolCheck } from "./protocol-check.ts";
import { readingChecks } from "./reading/checks.ts";
import { promptChecks } from "./reading/prompt-checks.ts";
import { promptContentChecks } from "./reading/prompt-content-checks.ts";
import { roundTripChecks } from "./round-trips/checks.ts";
import { routingChecks } from "./routing/checks.ts";
import { sessionChecks } from "./sessions/checks.ts";
import { statelessnessChecks } from "./statelessness/checks.ts";
import { stdioChecks } from "./stdio/checks.ts";
import { subscriptionChecks } from "./subscriptions/checks.ts";
import { askingChecks } from "./traffic/asking-checks.ts";
import { trafficChecks } from "./traffic/checks.ts";
import { identifierChecks } from "./traffic/identifier-checks.ts";
import { transportChecks } from "./transport/checks.ts";
import { versionChecks } from "./versions/checks.ts";
import { answerIdChecks } from "./wire/answer-id-checks.ts";
import { wireChecks } from "./wire/checks.ts";
import { wireSchemaChecks } from "./wire/schema-checks.ts";

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
