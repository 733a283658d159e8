/** @module A small panel beside the button that opens it. */

import { FloatOnDemand, floats } from "./float-on-demand.tsx";
import type { PopoverProps } from "./float-props.ts";

export function Popover(props: PopoverProps) {
  return (
    <FloatOnDemand opens="dialog" trigger={props.trigger}>
      {(wanted) => {
        const { Popover: Loaded } = floats();
        return <Loaded {...props} wanted={wanted} />;
      }}
    </FloatOnDemand>
  );
}
