/** @module Leads to the first field that is wrong: scrolled to, and with the focus in it. */
import type { FieldFault } from "./form-context.ts";

const controls = "input, textarea, select, button";

/** The nearest field that is drawn: a fault may lie in a part that has no field of its own. False where there is none. */
export function focusFirstFault(form: HTMLElement | null, faults: readonly FieldFault[]): boolean {
  for (const { at } of faults) {
    for (let steps = at.split("/"); steps.length > 0; steps = steps.slice(0, -1)) {
      const field = form?.querySelector(`[data-at="${CSS.escape(steps.join("/"))}"]`);
      const control =
        field?.querySelector<HTMLElement>(`[aria-invalid]`) ?? field?.querySelector<HTMLElement>(controls);
      if (!control) continue;
      control.scrollIntoView({ block: "center" });
      control.focus({ preventScroll: true });
      return true;
    }
  }
  return false;
}
