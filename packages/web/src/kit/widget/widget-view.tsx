/** @module A widget with what a person needs to look at it: the frame, its wishes, and below it messages and policy. */
import type { RenderedWidget } from "@fettle/contract";
import { useQuery } from "@tanstack/react-query";
import { Maximize2, Minimize2 } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { cx } from "../../lib/cx.ts";
import type { JsonObject } from "../../lib/json-exact.ts";
import { preferences } from "../../lib/preferences.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Loaded } from "../loaded.tsx";
import { WidgetDetails } from "./widget-details.tsx";
import { createWidgetHost, type WidgetShown } from "./widget-host.ts";
import type { Wish } from "./widget-state.ts";

export interface WidgetViewProps extends Omit<WidgetShown, "rendered" | "context"> {
  /** The documents that show the result, one of which is looked at. */
  uris: readonly string[];
}

export function WidgetView(props: WidgetViewProps) {
  const { server, uris } = props;
  const [uri = "", setUri] = useState(uris[0]);
  const shown = useId();
  const query = useQuery({
    queryKey: ["renderWidget", server.id, uri, shown],
    queryFn: ({ signal }) => server.render({ resourceUri: uri }, signal),
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
      <Loaded query={query} what="the widget">
        {(rendered) => <Stage key={rendered.id} {...props} rendered={rendered} />}
      </Loaded>
    </>
  );
}

type Theme = "app" | "light" | "dark";
type Width = "fill" | "tablet" | "phone";
const widths: Record<Width, number | undefined> = { fill: undefined, tablet: 820, phone: 390 };

function themeOf(chosen: Theme): "light" | "dark" {
  if (chosen !== "app") return chosen;
  const { theme } = preferences.get();
  if (theme !== "system") return theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function Stage({ rendered, ...props }: WidgetViewProps & { rendered: RenderedWidget }) {
  const [theme, setTheme] = useState<Theme>("app");
  const [width, setWidth] = useState<Width>("fill");
  const frame = useRef<HTMLIFrameElement>(null);
  const context = (): JsonObject => ({
    theme: themeOf(theme),
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: "web",
    userAgent: "Fettle",
    containerDimensions: { width: frame.current?.clientWidth ?? 0, maxHeight: 5_000 },
    deviceCapabilities: { hover: matchMedia("(hover: hover)").matches, touch: navigator.maxTouchPoints > 0 },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
  });
  // One host for one document: what changes later is told to it.
  const [host] = useState(() => createWidgetHost({ ...props, rendered, context }));
  const state = useSyncExternalStore(host.store.subscribe, host.store.get);
  // Before the frame can have loaded: its first word must be heard.
  useLayoutEffect(() => (frame.current ? host.open(frame.current) : undefined), [host]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen is what the widget is told of.
  useEffect(() => host.tell(context()), [host, theme, width]);
  const isFull = state.mode === "fullscreen";
  const isShown = state.state !== "closed";
  return (
    <div
      data-testid="widget"
      data-state={state.state}
      {...(state.reason && { "data-reason": state.reason })}
      data-mode={state.mode}
      className="stack gap-3"
    >
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <Choice
          label="Theme"
          hideLabel
          as="segments"
          options={[
            { value: "app", label: "As the app" },
            { value: "light", label: "Light" },
            { value: "dark", label: "Dark" },
          ]}
          value={theme}
          onChange={setTheme}
        />
        <Choice
          label="Width"
          hideLabel
          as="segments"
          options={[
            { value: "fill", label: "Fill" },
            { value: "tablet", label: "Tablet" },
            { value: "phone", label: "Phone" },
          ]}
          value={width}
          onChange={setWidth}
        />
        {state.modes.includes("fullscreen") && (
          <IconButton label="Full screen" onClick={() => host.setMode("fullscreen")}>
            <Maximize2 aria-hidden="true" className="size-4" />
          </IconButton>
        )}
      </div>
      {state.reason && (
        <Notice kind={state.state === "closed" ? "info" : "bad"} title="The widget is not shown">
          {state.reason}
        </Notice>
      )}
      {isShown && (
        // Moved by style alone: a frame that is put elsewhere in the document loads anew.
        <div
          className={cx(
            isFull ? "fixed inset-0 z-40 flex flex-col bg-surface" : "overflow-x-auto",
            !isFull && rendered.prefersBorder !== false && "rounded-panel border border-line",
          )}
        >
          <div
            className={cx("items-center gap-3 border-line border-b px-4 py-2", isFull ? "flex" : "hidden")}
          >
            <p className="min-w-0 flex-1 truncate text-sm">Widget of {props.tool.name}</p>
            <Button
              onClick={() => host.setMode("inline")}
              icon={<Minimize2 aria-hidden="true" className="size-4" />}
            >
              Leave full screen
            </Button>
          </div>
          <iframe
            ref={frame}
            src={rendered.proxyUrl}
            title={`Widget of ${props.tool.name}`}
            sandbox="allow-scripts allow-same-origin allow-forms"
            allow={rendered.policy.allow}
            referrerPolicy="no-referrer"
            className={cx("block w-full border-0", isFull && "min-h-0 flex-1")}
            style={isFull ? {} : { height: state.height, ...(widths[width] && { width: widths[width] }) }}
          />
        </div>
      )}
      {state.wishes.slice(0, 1).map((wish) => (
        <WishPanel key={wish.title} wish={wish} />
      ))}
      <WidgetDetails server={props.server} rendered={rendered} state={state} />
    </div>
  );
}

function WishPanel({ wish }: { wish: Wish }) {
  return (
    <section
      data-testid="widget-wish"
      aria-label={wish.title}
      className="stack gap-3 rounded-panel border border-accent/50 bg-surface p-4"
    >
      <p className="font-semibold text-base">{wish.title}</p>
      <pre className="max-h-40 overflow-auto whitespace-pre-wrap break-all text-code">{wish.detail}</pre>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={() => wish.say(true)}>
          Allow once
        </Button>
        {wish.tool && <Button onClick={() => wish.say(true, true)}>Allow until closed</Button>}
        <Button look="quiet" onClick={() => wish.say(false)}>
          Refuse
        </Button>
      </div>
    </section>
  );
}
