/** @module A list of things to do, opened from a button. */

import { FloatOnDemand, floats } from "./float-on-demand.tsx";
import type { MenuItemProps, MenuLabelProps, MenuProps } from "./float-props.ts";

export function Menu(props: MenuProps) {
  return (
    <FloatOnDemand opens="menu" trigger={props.trigger}>
      {(wanted) => {
        const { Menu: Loaded } = floats();
        return <Loaded {...props} wanted={wanted} />;
      }}
    </FloatOnDemand>
  );
}

// Only ever drawn inside an open menu.
export const MenuItem = (props: MenuItemProps) => floats().MenuItem(props);
export const MenuLabel = (props: MenuLabelProps) => floats().MenuLabel(props);
export const MenuSeparator = () => floats().MenuSeparator();
