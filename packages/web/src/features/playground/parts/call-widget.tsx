/** @module The widget of a call in a conversation: shown at once where the call is the latest, else when somebody asks for it. */
import { AppWindow } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { savedWidgetServer } from "../../../api/widget-server.ts";
import type { ShownCall } from "../../../kit/chat/turns.ts";
import { Loading } from "../../../kit/loading.tsx";
import { isJsonObject, type JsonObject } from "../../../lib/json-exact.ts";
import { Button } from "../../../ui/button.tsx";

const WidgetOfCall = lazy(async () => ({
  default: (await import("../../../kit/widget/widget-of-call.tsx")).WidgetOfCall,
}));

export interface CallWidgetProps {
  call: ShownCall;
  projectId: string;
  startsShown: boolean;
  onSay?: ((text: string) => void) | undefined;
}

export function CallWidget({ call, projectId, startsShown, onSay }: CallWidgetProps) {
  const [isShown, setShown] = useState(startsShown);
  const { serverId, toolName, output } = call;
  if (!call.hasWidget || serverId === null || output === undefined) return null;
  if (call.truncated || !isJsonObject(output)) {
    return (
      <p className="text-faint text-sm">Its widget is not shown: the result was too long to be kept whole.</p>
    );
  }
  if (!isShown) {
    return (
      <div>
        <Button icon={<AppWindow aria-hidden="true" className="size-4" />} onClick={() => setShown(true)}>
          Show the widget of {toolName}
        </Button>
      </div>
    );
  }
  return (
    <Suspense fallback={<Loading what="the widget" />}>
      <WidgetOfCall
        server={savedWidgetServer({ projectId, serverId })}
        toolName={toolName}
        // What came over the wire is JSON.
        args={call.input as JsonObject}
        result={output}
        onSay={onSay}
      />
    </Suspense>
  );
}
