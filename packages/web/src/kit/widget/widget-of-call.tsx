/** @module The widget of a call, with the server's other tools at hand: a widget may call those that are for widgets. */
import { useQuery } from "@tanstack/react-query";
import type { WidgetServer } from "../../api/widget-server.ts";
import type { JsonObject } from "../../lib/json-exact.ts";
import { Loaded } from "../loaded.tsx";
import { widgetUris } from "./widget-link.ts";
import { WidgetView, type WidgetViewProps } from "./widget-view.tsx";

export interface WidgetOfCallProps extends Pick<WidgetViewProps, "onSay"> {
  server: WidgetServer;
  toolName: string;
  args: JsonObject;
  result: JsonObject;
}

export function WidgetOfCall({ server, toolName, result, ...props }: WidgetOfCallProps) {
  const query = useQuery(server.tools);
  return (
    <Loaded query={query} what="the tools">
      {({ items }) => {
        const tool = items.find(({ name }) => name === toolName) ?? { name: toolName };
        const uris = widgetUris(tool, result);
        if (uris.length === 0) return <p className="text-soft text-sm">The tool names no widget any more.</p>;
        return (
          <WidgetView {...props} server={server} uris={uris} tool={tool} tools={items} result={result} />
        );
      }}
    </Loaded>
  );
}
