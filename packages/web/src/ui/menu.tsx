/** @module A list of things to do, opened from a button. */
import type { MenuItemProps, MenuLabelProps, MenuProps } from "./float-props.ts";
import { floats, LateFloat } from "./late-float.tsx";

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

// Only ever drawn inside an open menu.
export const MenuItem = (props: MenuItemProps) => floats().MenuItem(props);
export const MenuLabel = (props: MenuLabelProps) => floats().MenuLabel(props);
export const MenuSeparator = () => floats().MenuSeparator();
