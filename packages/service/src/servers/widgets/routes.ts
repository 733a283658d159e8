/** @module Binds the operations of widgets. */

import { type Bindings, bindResource } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { WrittenJson } from "../../core/routing/written-json.ts";
import { ask } from "../live/ask.ts";
import { theSaved } from "../live/routes.ts";
import { widgetPlace } from "./place.ts";
import { findRefusals } from "./store.ts";
import { renderWidget } from "./widgets.ts";

export const widgetBindings = {
  renderWidget: bindResource(theSaved, (call, server) => {
    const { app, caller, body } = call;
    const place = widgetPlace(app, { serverId: server.id, looking: { userId: caller.userId } });
    return renderWidget(place, body, async () => {
      const read = await ask(call, server, "readWidget", { uri: body.resourceUri });
      return read instanceof WrittenJson ? JSON.parse((await read.whole()).toString()) : read;
    });
  }),
  listWidgetRefusals: bindResource(theSaved, async ({ app, caller, params }, server) => {
    const place = { id: params.widgetId, serverId: server.id, userId: caller.userId };
    const items = await findRefusals(app.db, place);
    if (!items) throw notFound("widget");
    return { items };
  }),
} satisfies Partial<Bindings>;
