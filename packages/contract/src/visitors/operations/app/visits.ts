/**
 * @module What visitors of a scenario do. Each of these but the first is proven by the cookie that coming by the link gave; it is
 * worth nothing once access was narrowed.
 */
import { z } from "zod";
import { access, operation, serverErrors } from "../../../core/operation.ts";
import { CallDecision, TurnState } from "../../chat/chat.ts";
import {
  ConsentRequest,
  RedeemRequest,
  Visit,
  VisitFeedbackRequest,
  VisitSession,
  VisitTurnRequest,
  VisitWidget,
  VisitWidgetAsk,
  VisitWidgetRequest,
} from "../../user-testing/visit.ts";

const tag = "App visits";
const surface = "app";
const elevated = "whoever came by the scenario's link and still may";

export const redeemScenarioLink = operation({
  id: "redeemScenarioLink",
  tag,
  surface,
  method: "POST",
  path: "/visits",
  access: access.public,
  elevated: "the link, and whatever the scenario's mode asks for",
  summary: "Come by a link; the visit travels in a cookie",
  built: true,
  body: RedeemRequest,
  output: Visit,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
});

export const getVisit = operation({
  id: "getVisit",
  tag,
  surface,
  method: "GET",
  path: "/visits/{scenarioId}",
  access: access.public,
  elevated,
  summary: "What the visitor's page shows, with the conversation so far",
  built: true,
  output: Visit,
});

export const consentToVisit = operation({
  id: "consentToVisit",
  tag,
  surface,
  method: "POST",
  path: "/visits/{scenarioId}/consent",
  access: access.public,
  elevated,
  summary: "Agree to what the test records",
  built: true,
  body: ConsentRequest,
  output: Visit,
  errors: ["VALIDATION_ERROR"],
});

export const startVisitSession = operation({
  id: "startVisitSession",
  tag,
  surface,
  method: "POST",
  path: "/visits/{scenarioId}/sessions",
  access: access.public,
  elevated,
  summary: "Begin a conversation; one that is open goes on",
  built: true,
  status: 201,
  output: VisitSession,
  errors: ["CONFLICT", "FEATURE_NOT_SUPPORTED"],
});

export const streamVisitTurn = operation({
  id: "streamVisitTurn",
  tag,
  surface,
  method: "POST",
  path: "/visits/{scenarioId}/sessions/{sessionId}/messages",
  access: access.public,
  elevated,
  summary: "Send a message and hear the answer as it comes",
  spends: true,
  raw: true,
  built: true,
  body: VisitTurnRequest,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
});

export const stopVisitTurn = operation({
  id: "stopVisitTurn",
  tag,
  surface,
  method: "POST",
  path: "/visits/{scenarioId}/sessions/{sessionId}/turns/{turnId}/stop",
  access: access.public,
  elevated,
  summary: "Stop an answer; what has come of it stays",
  built: true,
  output: TurnState,
});

export const decideVisitCall = operation({
  id: "decideVisitCall",
  tag,
  surface,
  method: "POST",
  path: "/visits/{scenarioId}/sessions/{sessionId}/turns/{turnId}/decisions",
  access: access.public,
  elevated,
  summary: "Allow or refuse a call that an answer asks about",
  built: true,
  body: CallDecision,
  output: TurnState,
  errors: ["VALIDATION_ERROR"],
});

export const renderVisitWidget = operation({
  id: "renderVisitWidget",
  tag,
  surface,
  method: "POST",
  path: "/visits/{scenarioId}/sessions/{sessionId}/turns/{turnId}/widget",
  access: access.public,
  elevated,
  summary: "Make the widget of a call ready to be shown, with what it draws",
  built: true,
  body: VisitWidgetRequest,
  output: VisitWidget,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED", ...serverErrors],
});

export const askForVisitWidget = operation({
  id: "askForVisitWidget",
  tag,
  surface,
  method: "POST",
  path: "/visits/{scenarioId}/sessions/{sessionId}/turns/{turnId}/widget/asks",
  access: access.public,
  elevated,
  summary: "Ask the server behind a widget for it: a tool that only reads, or a document",
  built: true,
  body: VisitWidgetAsk,
  output: z.looseObject({}),
  errors: ["VALIDATION_ERROR", "CONFLICT", ...serverErrors],
});

export const rateVisitTurn = operation({
  id: "rateVisitTurn",
  tag,
  surface,
  method: "PUT",
  path: "/visits/{scenarioId}/sessions/{sessionId}/turns/{turnId}/feedback",
  access: access.public,
  elevated,
  summary: "Say what an answer was worth; the last word counts",
  built: true,
  body: VisitFeedbackRequest,
  output: z.object({ turnId: z.string(), value: z.number(), comment: z.string().nullable() }),
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const endVisitSession = operation({
  id: "endVisitSession",
  tag,
  surface,
  method: "POST",
  path: "/visits/{scenarioId}/sessions/{sessionId}/end",
  access: access.public,
  elevated,
  summary: "End one's conversation",
  built: true,
  output: VisitSession,
});

export const eraseVisitSession = operation({
  id: "eraseVisitSession",
  tag,
  surface,
  method: "DELETE",
  path: "/visits/{scenarioId}/sessions/{sessionId}",
  access: access.public,
  elevated,
  summary: "Erase what one has said, within a day of the end",
  built: true,
  output: z.object({ sessionId: z.string(), erased: z.literal(true) }),
  errors: ["CONFLICT"],
});

export const streamVisitEvents = operation({
  id: "streamVisitEvents",
  tag,
  surface,
  method: "GET",
  path: "/visits/{scenarioId}/events",
  access: access.public,
  elevated,
  summary: "Hear when the visit is over, as server-sent events",
  raw: true,
  built: true,
});
