/** @module The widget of a call in a visitor's conversation: shown at once where the call is the latest, else when they ask for it. */
import { lazy, Suspense, useState } from "react";
import type { ShownCall } from "../../../kit/chat/turns.ts";
import { Loading } from "../../../kit/loading.tsx";
import { Button } from "../../../ui/button.tsx";
import type { CallAddress } from "../queries.ts";

const VisitWidgetView = lazy(async () => ({
  default: (await import("./visit-widget.tsx")).VisitWidgetView,
}));

export interface CallWidgetProps {
  call: ShownCall;
  address: CallAddress;
  startsShown: boolean;
  onSay: (text: string) => void;
}

export function CallWidget({ call, address, startsShown, onSay }: CallWidgetProps) {
  const [isShown, setShown] = useState(startsShown);
  if (!call.hasWidget) return null;
  if (!isShown) {
    return (
      <div>
        <Button onClick={() => setShown(true)}>Show what {call.toolName} found</Button>
      </div>
    );
  }
  return (
    <Suspense fallback={<Loading what="the widget" />}>
      <VisitWidgetView address={address} onSay={onSay} />
    </Suspense>
  );
}
