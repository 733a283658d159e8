/** @module A widget for a visitor: the same frame and rules as for the project's people, without what those examine it with. */
import { ApiError } from "@fettle/contract/core";
import type { VisitWidget } from "@fettle/contract/visitors";
import type { AskedByWidget } from "../../../api/widget-server.ts";
import { Loading } from "../../../kit/loading.tsx";
import { useLoad } from "../../../kit/use-load.ts";
import { asTheBrowser } from "../../../kit/widget/emulation.ts";
import { WidgetStage } from "../../../kit/widget/widget-stage.tsx";
import type { JsonObject } from "../../../lib/json-exact.ts";
import { askForWidget, type CallAddress, renderWidget } from "../queries.ts";
import { VisitFailure } from "./visit-failure.tsx";

export interface VisitWidgetViewProps {
  address: CallAddress;
  onSay: (text: string) => void;
}

export function VisitWidgetView({ address, onSay }: VisitWidgetViewProps) {
  const { data, failure, again } = useLoad((signal) => renderWidget(address, signal));
  if (failure) return <VisitFailure failure={failure} />;
  if (!data) return <Loading what="the widget" />;
  return (
    <WidgetStage
      key={data.rendered.id}
      server={serverBehind(address, data)}
      rendered={data.rendered}
      // What came over the wire is JSON.
      tool={data.tool as JsonObject & { name: string }}
      tools={data.tools as (JsonObject & { name: string })[]}
      args={data.arguments as JsonObject}
      result={data.result as JsonObject}
      emulation={asTheBrowser}
      onAgain={again}
      onSay={onSay}
    />
  );
}

function serverBehind(address: CallAddress, { asksBeforeCalls }: VisitWidget): AskedByWidget {
  return {
    id: `visit ${address.sessionId}`,
    meetsCalls: asksBeforeCalls ? "ask" : "reads",
    heard: () => {},
    ask: async (asked, signal) => {
      if (asked.name !== "callTool" && asked.name !== "readResource") {
        throw new ApiError("FORBIDDEN", "A widget calls tools and reads documents here, and nothing else.");
      }
      return (await askForWidget(address, asked, signal)) as JsonObject;
    },
  };
}
