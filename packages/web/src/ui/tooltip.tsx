/** @module A word about a control, on hover and on focus. Never the only place where something is said. */
import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={350}>{children}</Radix.Provider>;
}

export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 animate-appear items-center gap-2 rounded-control bg-text px-2 py-1 text-sm text-surface"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
