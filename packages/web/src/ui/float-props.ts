/** @module What menus and small panels are given, said apart from them: what draws them is fetched late. */
import type { ComponentProps, ReactElement, ReactNode } from "react";

export type Trigger = ReactElement<ComponentProps<"button">>;

/** Whether somebody is waiting for it to open, and by what they asked. */
export type Wanted = "no" | "by pointer" | "by key";

export interface MenuProps {
  trigger: Trigger;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom";
  className?: string;
  children: ReactNode;
}

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

export interface MenuLabelProps {
  children: ReactNode;
}

export interface PopoverProps {
  trigger: Trigger;
  label: string;
  align?: "start" | "center" | "end";
  className?: string;
  children: ReactNode;
}
