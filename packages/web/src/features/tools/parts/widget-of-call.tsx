/** @module The widget of a call, with the server's other tools at hand: a widget may call those that are for widgets. */
import { useQuery } from "@tanstack/react-query";
import type { ServerAddress } from "../../../api/server-calls.ts";
import { savedWidgetServer } from "../../../api/widget-server.ts";
import { WidgetView, type WidgetViewProps } from "../../../kit/widget/widget-view.tsx";
import { toolsQuery } from "../queries.ts";

export function WidgetOfCall({
  address,
  ...props
}: Omit<WidgetViewProps, "server" | "tools"> & { address: ServerAddress }) {
  const tools = useQuery(toolsQuery(address)).data?.items;
  return tools && <WidgetView {...props} server={savedWidgetServer(address)} tools={tools} />;
}
