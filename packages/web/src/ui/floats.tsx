/** @module What floats beside a button: menus and small panels. Fetched when the first of them is wanted; see `float-on-demand.tsx`. */
import { DropdownMenu, Popover as Panel } from "radix-ui";
import { useEffect, useRef } from "react";
import { cx } from "../lib/cx.ts";
import type { MenuItemProps, MenuLabelProps, MenuProps, PopoverProps, Wanted } from "./float-props.ts";
import { noteUsed, returnFocus } from "./focus-return.ts";

const floatClass =
  "z-50 animate-rise overflow-hidden rounded-panel border border-line bg-raised text-text shadow-float outline-none";

interface Asked {
  wanted: Wanted;
}

/** Not modal: a modal menu would write a style element to lock scrolling, which the page's policy forbids. */
export function Menu({
  trigger,
  align = "end",
  side = "bottom",
  className,
  wanted,
  children,
}: MenuProps & Asked) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (wanted === "by pointer") noteUsed(button.current);
    if (wanted !== "by key") return;
    // The key was pressed before the menu could hear it; opened by key, a menu goes to its first item.
    button.current?.focus();
    button.current?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  }, [wanted]);
  return (
    <DropdownMenu.Root
      modal={false}
      defaultOpen={wanted === "by pointer"}
      onOpenChange={(open) => open && noteUsed(button.current)}
    >
      <DropdownMenu.Trigger asChild ref={button}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
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
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const itemClass = cx(
  "flex min-h-7 w-full cursor-pointer select-none items-center gap-2.5 rounded-control px-2 py-1 text-sm outline-none",
  "data-disabled:cursor-not-allowed data-highlighted:bg-selected data-disabled:text-faint",
);

export function MenuItem({ icon, danger = false, blocked, end, onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
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
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: MenuLabelProps) {
  return (
    <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-xs font-medium text-faint">
      {children}
    </DropdownMenu.Label>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}

export function Popover({
  trigger,
  label,
  align = "end",
  className,
  wanted,
  children,
}: PopoverProps & Asked) {
  return (
    <Panel.Root defaultOpen={wanted !== "no"}>
      <Panel.Trigger asChild>{trigger}</Panel.Trigger>
      <Panel.Portal>
        <Panel.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={cx(floatClass, "max-w-[calc(100vw-1rem)] p-4", className)}
        >
          {children}
        </Panel.Content>
      </Panel.Portal>
    </Panel.Root>
  );
}
