/** @module A list of things to do, opened from a button. */
import type { ReactNode } from "react";
import { floats, LateFloat, type Trigger } from "./late-float.tsx";

export interface MenuProps {
  trigger: Trigger;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom";
  className?: string;
  children: ReactNode;
}

export function Menu(props: MenuProps) {
  return (
    <LateFloat opens="menu" trigger={props.trigger}>
      {(wanted) => {
        const { Menu: Loaded } = floats();
        return <Loaded {...props} wanted={wanted} />;
      }}
    </LateFloat>
  );
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

// Only ever drawn inside an open menu.
export const MenuItem = (props: MenuItemProps) => floats().MenuItem(props);
export const MenuLabel = (props: MenuLabelProps) => floats().MenuLabel(props);
export const MenuSeparator = () => floats().MenuSeparator();
