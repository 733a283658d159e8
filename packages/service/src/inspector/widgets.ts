/** @module Widgets on one's own machine: their documents are held by this process, and shown from a listener of their own. */

import { type RenderedWidget, type WidgetRequest, widgetLimits } from "@fettle/contract/widgets";
import { notFound } from "../core/routing/not-found.ts";
import type { WidgetOrigins } from "../servers/widgets/origins.ts";
import type { Refusal, WidgetDocument, WidgetShelf } from "../servers/widgets/sandbox.ts";
import { renderWidget } from "../servers/widgets/widgets.ts";
import type { Asking } from "./asking.ts";
import type { LocalServer } from "./saved-servers.ts";

interface Held extends WidgetDocument {
  serverId: LocalServer["id"];
  expiresAt: number;
  refusals: Refusal[];
}

export interface LocalWidgets {
  shelf: WidgetShelf;
  render(server: LocalServer, request: WidgetRequest, signal: AbortSignal): Promise<RenderedWidget>;
  refusals(server: LocalServer, id: string): Refusal[];
}

export function createLocalWidgets(origins: WidgetOrigins, asking: Asking): LocalWidgets {
  /** In the order they were made, so the oldest goes first. */
  const held = new Map<string, Held>();
  const find = (id: string) => {
    const document = held.get(id);
    return document && document.expiresAt > Date.now() ? document : undefined;
  };
  function keep(id: string, document: Held): void {
    held.set(id, document);
    for (const old of [...held.keys()].slice(0, -widgetLimits.documentsPerPerson)) held.delete(old);
  }
  return {
    shelf: {
      find: async (id) => find(id),
      note: async (id, refusal) => {
        const refusals = find(id)?.refusals;
        if (refusals && refusals.length < widgetLimits.refusals) refusals.push(refusal);
      },
    },
    render: (server, request, signal) =>
      renderWidget(
        {
          origins,
          mode: "local",
          now: Date.now,
          keep: ({ id, ...document }) => keep(id, { ...document, serverId: server.id, refusals: [] }),
        },
        request,
        // What `readWidget` answers.
        () => asking.ask(server, "readWidget", { uri: request.resourceUri }, { signal }) as never,
      ),
    refusals(server, id) {
      const document = find(id);
      if (document?.serverId !== server.id) {
        throw notFound("widget");
      }
      return document.refusals;
    },
  };
}
