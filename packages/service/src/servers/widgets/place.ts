/** @module Where the service lays the documents of widgets, for whoever looks at them. */
import type { ServerId } from "@fettle/contract/core";
import { widgetLimits } from "@fettle/contract/widgets";
import type { App } from "../../core/app.ts";
import { widgetOrigins } from "./origins.ts";
import { deleteExpired, insertDocument, type Looking } from "./store.ts";
import type { WidgetPlace } from "./widgets.ts";

export function widgetPlace(app: App, owner: { serverId: ServerId; looking: Looking }): WidgetPlace {
  return {
    origins: widgetOrigins(app.config),
    mode: app.config.mode,
    now: app.now,
    keep: async ({ expiresAt, ...document }) => {
      await deleteExpired(app.db, new Date(app.now()));
      const row = { ...document, ...owner, expiresAt: new Date(expiresAt) };
      await insertDocument(app.db, row, widgetLimits.documentsPerPerson);
    },
  };
}
