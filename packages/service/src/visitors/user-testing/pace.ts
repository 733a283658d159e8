/**
 * @module How fast visitors may go: each by their own cookie, and all of a scenario who share an address, so that many cookies are no way
 * around it. A class shares one.
 */
import type { VisitRefusal } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { type BucketName, requireToken, takeToken } from "../../core/limits/limits.ts";
import { networkOf } from "../../core/limits/network.ts";
import { turnedAway } from "./refuse.ts";
import type { Present } from "./visits.ts";

const paces = {
  turn: { own: "visitTurn", shared: "visitTurnAddress", tooFast: "VISITOR_TOO_FAST" },
  widget: { own: "visitWidget", shared: "visitWidgetAddress", tooFast: "WIDGET_TOO_FAST" },
} satisfies Record<string, { own: BucketName; shared: BucketName; tooFast: VisitRefusal }>;

export async function requirePace(
  app: App,
  { visitor, scenario }: Present,
  ip: string,
  doing: keyof typeof paces,
): Promise<void> {
  const { own, shared, tooFast } = paces[doing];
  const ofVisitor = await takeToken(app.pool, own, visitor.id);
  if (!ofVisitor.allowed) throw turnedAway("RATE_LIMITED", tooFast, {}, ofVisitor.retryAfter);
  const ofAddress = await takeToken(app.pool, shared, placeOf(scenario, ip));
  if (!ofAddress.allowed) throw turnedAway("RATE_LIMITED", "SCENARIO_BUSY", {}, ofAddress.retryAfter);
}

const placeOf = ({ id }: Pick<Present["scenario"], "id">, ip: string) => `${id} ${networkOf(ip)}`;

/** Opening a link that leads to the scenario; `known` is the visitor this browser already is. */
export function requireOpening(
  app: App,
  scenario: Present["scenario"],
  known: Present["visitor"] | undefined,
  ip: string,
): Promise<void> {
  return known
    ? requireToken(app.pool, "visitOpen", known.id)
    : requireToken(app.pool, "visitOpenAddress", placeOf(scenario, ip));
}

/** Nobody finds a link by guessing, but everybody may make us look. */
export const requireGuess = (app: App, ip: string): Promise<void> =>
  requireToken(app.pool, "visitWrongLink", networkOf(ip));
