/** @module A small panel beside the button that opens it. */
import type { PopoverProps } from "./float-props.ts";
import { floats, LateFloat } from "./late-float.tsx";

export function Popover(props: PopoverProps) {
  return (
    <LateFloat opens="dialog" trigger={props.trigger}>
      {(wanted) => {
        const { Popover: Loaded } = floats();
        return <Loaded {...props} wanted={wanted} />;
      }}
    </LateFloat>
  );
}
