/** @module What a visitor's page asks of the service. Who they are travels in a cookie that coming by the link gave. */
import { addressPart } from "@fettle/contract/formats";
import type {
  Visit,
  VisitFeedbackRequest,
  VisitSession,
  VisitWidget,
  VisitWidgetAsk,
} from "@fettle/contract/visitors";
import { streamTurn, type ToldEvent } from "../../api/chat-stream.ts";
import { service } from "../../api/client.ts";

/** Of one's own conversation. */
export interface SessionAddress {
  scenarioId: string;
  sessionId: string;
}

export const redeem = (linkToken: string, signal?: AbortSignal): Promise<Visit> =>
  service.redeemScenarioLink({ body: { linkToken } }, signal && { signal });

export const readVisit = (scenarioId: string, signal?: AbortSignal): Promise<Visit> =>
  service.getVisit({ scenarioId }, signal && { signal });

export const begin = (scenarioId: string): Promise<VisitSession> => service.startVisitSession({ scenarioId });

export async function consentAndBegin(scenarioId: string, displayName: string): Promise<VisitSession> {
  const body = { agrees: true as const, ...(displayName && { displayName }) };
  await service.consentToVisit({ scenarioId, body });
  return begin(scenarioId);
}

export const send = (
  { scenarioId, sessionId }: SessionAddress,
  body: { message: string; idempotencyKey: string },
  onTold: (told: ToldEvent) => void,
  signal: AbortSignal,
) =>
  streamTurn(
    `/app/visits/${addressPart(scenarioId)}/sessions/${addressPart(sessionId)}/messages`,
    body,
    onTold,
    signal,
  );

export const stop = (address: SessionAddress, turnId: string) =>
  service.stopVisitTurn({ ...address, turnId });

export async function decide(
  address: SessionAddress,
  turnId: string,
  toolCallId: string,
  allow: boolean,
): Promise<void> {
  await service.decideVisitCall({ ...address, turnId, body: { toolCallId, allow } });
}

export const rate = (address: SessionAddress, turnId: string, body: VisitFeedbackRequest) =>
  service.rateVisitTurn({ ...address, turnId, body });

export const end = (address: SessionAddress): Promise<VisitSession> =>
  service.endVisitSession({ ...address });

export const erase = (address: SessionAddress) => service.eraseVisitSession({ ...address });

/** A call of one's own conversation. */
export interface CallAddress extends SessionAddress {
  turnId: string;
  toolCallId: string;
}

export const renderWidget = (
  { toolCallId, ...address }: CallAddress,
  signal: AbortSignal,
): Promise<VisitWidget> => service.renderVisitWidget({ ...address, body: { toolCallId } }, { signal });

export const askForWidget = (
  { toolCallId, ...address }: CallAddress,
  asked: VisitWidgetAsk["asked"],
  signal: AbortSignal,
) => service.askForVisitWidget({ ...address, body: { toolCallId, asked } }, { signal });

/** Where one hears that it is over. */
export const endingsUrl = (scenarioId: string) => `/app/visits/${addressPart(scenarioId)}/events`;
