/** @module The two origins of a service: one for its pages, another for the widgets of servers that somebody else wrote. */
import type { Config } from "../../core/config/config.ts";
import { urlOf, widgetUrlOf } from "../../core/config/service-url.ts";

export interface WidgetOrigins {
  app: string;
  widgets: string;
}

/** The origins in use. A widget on the app's own host name could read its cookies: then none is shown at all. */
export function widgetOrigins(config: Config): WidgetOrigins | undefined {
  const app = urlOf(config);
  const widgets = widgetUrlOf(config);
  if (widgets === undefined || new URL(app).hostname === new URL(widgets).hostname) return undefined;
  return { app, widgets };
}
