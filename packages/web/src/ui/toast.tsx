/** @module A passing word that something was done. Errors that block are shown where they happened, not here. */
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { createStore } from "../lib/store.ts";
import { IconButton } from "./icon-button.tsx";

interface Toast {
  id: number;
  kind: "good" | "bad";
  text: string;
}

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

export function toast(text: string, kind: Toast["kind"] = "good"): void {
  lastId += 1;
  toasts.set([...toasts.get().slice(-2), { id: lastId, kind, text }]);
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((each) => each.id !== id));
}

export function Toaster() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-60 grid w-[min(22rem,calc(100vw-2rem))] justify-items-end gap-2"
    >
      {shown.map((each) => (
        <ToastCard key={each.id} toast={each} />
      ))}
    </div>
  );
}

function ToastCard({ toast: { id, kind, text } }: { toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), kind === "bad" ? 12_000 : 6_000);
    return () => clearTimeout(timer);
  }, [id, kind]);

  return (
    <div className="pointer-events-auto flex animate-rise items-center gap-2.5 rounded-panel border border-line bg-raised py-1.5 pr-1.5 pl-3 text-base shadow-float">
      {kind === "good" ? (
        <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-good-mark" />
      ) : (
        <CircleAlert aria-hidden="true" className="size-4 shrink-0 text-bad-mark" />
      )}
      <span className="min-w-0 flex-1">{text}</span>
      <IconButton label="Dismiss" onClick={() => dismiss(id)}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  );
}
