/** @module A small panel beside the button that opens it. */
import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { floatClass } from "./menu.tsx";

export interface PopoverProps {
  trigger: ReactNode;
  label: string;
  align?: "start" | "center" | "end";
  className?: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

export function Popover({
  trigger,
  label,
  align = "end",
  className,
  open,
  onOpenChange,
  children,
}: PopoverProps) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={cx(floatClass, "max-w-[calc(100vw-1rem)] p-4", className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
