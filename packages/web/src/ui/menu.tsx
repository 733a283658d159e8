/** @module A list of things to do, opened from a button. */
import { DropdownMenu as Radix } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { cx } from "../lib/cx.ts";
import { noteUsed, returnFocus } from "./focus-return.ts";

export const floatClass =
  "z-50 animate-rise overflow-hidden rounded-panel border border-line bg-raised text-text shadow-float outline-none";

export interface MenuProps {
  trigger: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom";
  className?: string;
  children: ReactNode;
}

/** Not modal: a modal menu would write a style element to lock scrolling, which the page's policy forbids. */
export function Menu({ trigger, align = "end", side = "bottom", className, children }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Radix.Root modal={false} onOpenChange={(open) => open && noteUsed(button.current)}>
      <Radix.Trigger asChild ref={button}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={returnFocus}
          className={cx(
            floatClass,
            "max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto p-1",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const itemClass = cx(
  "flex min-h-7 w-full cursor-pointer select-none items-center gap-2.5 rounded-control px-2 py-1 text-sm outline-none",
  "data-disabled:cursor-not-allowed data-highlighted:bg-selected data-disabled:text-faint",
);

export interface MenuItemProps {
  icon?: ReactNode;
  danger?: boolean;
  /** Why it cannot be used; shown below the label. */
  blocked?: string | undefined;
  /** At the end of the line: a key, a tick. */
  end?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, danger = false, blocked, end, onSelect, children }: MenuItemProps) {
  return (
    <Radix.Item
      disabled={blocked !== undefined}
      onSelect={onSelect}
      className={cx(itemClass, danger && !blocked && "text-bad data-highlighted:bg-bad-soft")}
    >
      {icon && <span className={cx("inline-flex", !danger && "text-faint")}>{icon}</span>}
      <span className="min-w-0 flex-1 truncate">
        {children}
        {blocked && <span className="block whitespace-normal text-xs">{blocked}</span>}
      </span>
      {end}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-xs font-medium text-faint">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
