/** @module The frame of a widget and its wishes. It knows nothing of how its document came here, so that every page can show one. */
import { Maximize2, Minimize2, PictureInPicture2 } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { cx } from "../../lib/cx.ts";
import type { JsonObject } from "../../lib/json-exact.ts";
import { preferences } from "../../lib/preferences.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { deviceOf, type Emulation, hostContext, type Surroundings } from "./emulation.ts";
import { createWidgetHost, type WidgetShown } from "./widget-host.ts";
import type { DisplayMode, WidgetState, Wish } from "./widget-state.ts";

function surroundings(): Surroundings {
  const { theme } = preferences.get();
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  return {
    theme: theme === "system" ? (isDark ? "dark" : "light") : theme,
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    canHover: matchMedia("(hover: hover)").matches,
    canTouch: navigator.maxTouchPoints > 0,
  };
}

/** Where the frame stands. It is moved by style alone: put elsewhere in the document it would load anew. */
const places: Record<DisplayMode, string> = {
  inline: "overflow-x-auto",
  fullscreen: "fixed inset-0 z-40 flex flex-col bg-surface",
  // Where there is no room beside it, it takes all there is.
  pip: "fixed inset-0 z-40 flex flex-col overflow-hidden bg-surface sm:inset-auto sm:right-4 sm:bottom-4 sm:h-80 sm:w-96 sm:resize sm:rounded-panel sm:border sm:border-line sm:shadow-lg",
};

/** For a picture: before everything, and nothing around it. */
const alone = "fixed top-0 left-0 z-50 bg-canvas";

/** Beside the flow of the page it fills its place. */
const sizeOf = (mode: DisplayMode, viewport: Emulation["viewport"]) =>
  viewport && mode === "fullscreen" ? viewport : {};

export interface WidgetStageProps extends Omit<WidgetShown, "context"> {
  emulation: Emulation;
  /** Reads the document anew. */
  onAgain: () => void;
  /** What is said of it below. */
  details?: (state: WidgetState) => ReactNode;
}

export function WidgetStage({ rendered, emulation, onAgain, details, ...props }: WidgetStageProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const chosen = useRef(emulation);
  chosen.current = emulation;
  const theme = emulation.theme === "app" ? surroundings().theme : emulation.theme;
  const context = (mode: DisplayMode): JsonObject => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = frame.current ?? {};
    return hostContext(chosen.current, surroundings(), mode, { width, height });
  };
  // One host for one document: what changes later is told to it.
  const [host] = useState(() => createWidgetHost({ ...props, rendered, context }));
  const state = useSyncExternalStore(host.store.subscribe, host.store.get);
  const { mode, modes } = state;
  // Before the frame can have loaded: its first word must be heard.
  useLayoutEffect(() => (frame.current ? host.open(frame.current) : undefined), [host]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen is what the widget is told of.
  useEffect(() => host.tell(context(mode)), [host, emulation, mode]);
  const isReady = state.state === "ready";
  useEffect(() => {
    if (isReady && emulation.mode) host.setMode(emulation.mode);
  }, [host, isReady, emulation.mode]);
  const isInline = mode === "inline";
  useEffect(() => {
    if (isInline) return;
    const leave = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === "Escape" && !defaultPrevented) host.setMode("inline");
    };
    addEventListener("keydown", leave);
    return () => removeEventListener("keydown", leave);
  }, [host, isInline]);
  const { viewport } = emulation;
  const width = viewport?.width ?? deviceOf(emulation.device).width;
  return (
    <div
      data-testid="widget"
      data-state={state.state}
      {...(state.reason && { "data-reason": state.reason })}
      {...(state.fault && { "data-fault": state.fault })}
      data-ready-at={state.readyAt}
      data-mode={mode}
      // A wish waits for a person, who may be away.
      data-asking={state.asking > state.wishes.length}
      className="stack gap-3"
    >
      <div className="flex flex-wrap gap-2">
        {modes.includes("fullscreen") && (
          <IconButton label="Full screen" onClick={() => host.setMode("fullscreen")}>
            <Maximize2 aria-hidden="true" className="size-4" />
          </IconButton>
        )}
        {modes.includes("pip") && (
          <IconButton label="Picture in picture" onClick={() => host.setMode("pip")}>
            <PictureInPicture2 aria-hidden="true" className="size-4" />
          </IconButton>
        )}
      </div>
      {state.reason && (
        <Notice kind={state.state === "closed" ? "info" : "bad"} title="The widget is not shown">
          <p>{state.reason}</p>
          <Button className="mt-2" onClick={onAgain}>
            Show it again
          </Button>
        </Notice>
      )}
      {state.state !== "closed" && (
        <div
          className={cx(
            viewport && mode !== "pip" ? alone : places[mode],
            isInline && !viewport && rendered.prefersBorder !== false && "rounded-panel border border-line",
          )}
        >
          <div
            className={cx(
              "items-center gap-3 border-line border-b px-4 py-2",
              isInline || viewport ? "hidden" : "flex",
            )}
          >
            <p className="min-w-0 flex-1 truncate text-sm">Widget of {props.tool.name}</p>
            <Button
              onClick={() => host.setMode("inline")}
              icon={<Minimize2 aria-hidden="true" className="size-4" />}
            >
              {mode === "pip" ? "Put back" : "Leave full screen"}
            </Button>
          </div>
          {/* Above the widget, which may be high or fill the screen, and wait for the answer. */}
          {state.wishes.slice(0, 1).map((wish) => (
            <WishPanel key={wish.title} wish={wish} />
          ))}
          <iframe
            ref={frame}
            src={rendered.proxyUrl}
            title={`Widget of ${props.tool.name}`}
            sandbox="allow-scripts allow-same-origin allow-forms"
            allow={rendered.policy.allow}
            referrerPolicy="no-referrer"
            className={cx("block w-full border-0", !isInline && "min-h-0 flex-1")}
            style={{
              colorScheme: theme,
              ...(isInline ? { height: state.height, ...(width && { width }) } : sizeOf(mode, viewport)),
            }}
          />
        </div>
      )}
      {details?.(state)}
    </div>
  );
}

function WishPanel({ wish }: { wish: Wish }) {
  return (
    <section
      data-testid="widget-wish"
      aria-label={wish.title}
      className="stack gap-3 border-accent/50 border-b bg-surface p-4"
    >
      <p className="font-semibold text-base">{wish.title}</p>
      {wish.why && <p className="text-soft text-sm">{wish.why}</p>}
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
