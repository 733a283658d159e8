/** @module A small panel beside the button that opens it. */
import type { ReactNode } from "react";
import { floats, LateFloat, type Trigger } from "./late-float.tsx";

export interface PopoverProps {
  trigger: Trigger;
  label: string;
  align?: "start" | "center" | "end";
  className?: string;
  children: ReactNode;
}

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
