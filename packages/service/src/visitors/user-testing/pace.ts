/** @module How fast visitors may go: by visitor and by address, so that many cookies are no way around it. */
import type { VisitRefusal } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { type BucketName, takeToken } from "../../core/limits/limits.ts";
import { networkOf } from "../../core/limits/network.ts";
import { turnedAway } from "./refuse.ts";
import type { Present } from "./visits.ts";

const paces = {
  turn: { own: "visitTurn", shared: "visitTurnAddress", tooFast: "VISITOR_TOO_FAST" },
  widget: { own: "visitWidget", shared: "visitWidgetAddress", tooFast: "WIDGET_TOO_FAST" },
} satisfies Record<string, { own: BucketName; shared: BucketName; tooFast: VisitRefusal }>;

export async function requirePace(
  app: App,
  { visitor }: Present,
  ip: string,
  doing: keyof typeof paces,
): Promise<void> {
  const { own, shared, tooFast } = paces[doing];
  const ofVisitor = await takeToken(app.pool, own, visitor.id);
  if (!ofVisitor.allowed) throw turnedAway("RATE_LIMITED", tooFast, {}, ofVisitor.retryAfter);
  const ofAddress = await takeToken(app.pool, shared, networkOf(ip));
  if (!ofAddress.allowed) throw turnedAway("RATE_LIMITED", "SCENARIO_BUSY", {}, ofAddress.retryAfter);
}
