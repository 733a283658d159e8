/** @module The origin of widgets, on the documents that every process on the same database keeps. */
import type { RequestListener } from "node:http";
import { widgetLimits } from "@fettle/contract/widgets";
import type { App } from "../../core/app.ts";
import { widgetOrigins } from "./origins.ts";
import { createSandbox } from "./sandbox.ts";
import { appendRefusal, findDocument } from "./store.ts";

/** Undefined where widgets have no address of their own; then none is ever shown. */
export function widgetListener(app: App): RequestListener | undefined {
  const origins = widgetOrigins(app.config);
  if (!origins) return undefined;
  return createSandbox({
    appOrigin: origins.app,
    origin: origins.widgets,
    shelf: {
      find: (id) => findDocument(app.db, id, new Date(app.now())),
      note: (id, refusal) => appendRefusal(app.db, id, refusal, widgetLimits.refusals),
    },
  });
}
