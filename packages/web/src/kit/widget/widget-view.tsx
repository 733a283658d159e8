/** @module A widget with what a person needs to look at it: the frame, its wishes, and below it messages and policy. */
import { useQuery } from "@tanstack/react-query";
import { useId, useState, useSyncExternalStore } from "react";
import type { WidgetServer } from "../../api/widget-server.ts";
import { Choice } from "../../ui/choice.tsx";
import { Loaded } from "../loaded.tsx";
import { chosenEmulation } from "./chosen-emulation.ts";
import { WidgetControls } from "./widget-controls.tsx";
import { WidgetDetails } from "./widget-details.tsx";
import type { WidgetShown } from "./widget-host.ts";
import { widgetUriOf } from "./widget-link.ts";
import { WidgetStage } from "./widget-stage.tsx";

export interface WidgetViewProps extends Omit<WidgetShown, "server" | "rendered" | "context"> {
  server: WidgetServer;
  /** The documents that show the result, one of which is looked at. */
  uris: readonly string[];
}

export function WidgetView(props: WidgetViewProps) {
  const { server, uris } = props;
  const emulation = useSyncExternalStore(chosenEmulation.subscribe, chosenEmulation.get);
  const { dialect } = emulation;
  const [uri = "", setUri] = useState(() => (dialect && widgetUriOf(props.tool, dialect)) ?? uris[0]);
  const [hostId, setHostId] = useState("fettle");
  const shown = useId();
  const query = useQuery({
    queryKey: ["renderWidget", server.id, uri, hostId, shown],
    queryFn: ({ signal }) => server.render({ resourceUri: uri, hostId }, signal),
    staleTime: "static",
    gcTime: 0,
    retry: false,
  });
  return (
    <>
      {uris.length > 1 && (
        <Choice
          label="Document"
          options={uris.map((each) => ({ value: each, label: each }))}
          value={uri}
          onChange={setUri}
        />
      )}
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <WidgetControls emulation={emulation} hostId={hostId} onHost={setHostId} serverId={server.id} />
      </div>
      <Loaded query={query} what="the widget">
        {(rendered) => (
          <WidgetStage
            key={rendered.id}
            {...props}
            rendered={rendered}
            emulation={emulation}
            onAgain={() => void query.refetch()}
            details={(state) => <WidgetDetails server={server} rendered={rendered} state={state} />}
          />
        )}
      </Loaded>
    </>
  );
}
