import { expect, test } from "vitest";
import { createWidgetStore } from "./widget-state.ts";

test("why a widget was not shown is forgotten once it is shown after all, and not before", () => {
  const store = createWidgetStore(["inline"]);
  store.change({ state: "error", reason: "The widget did not begin." });
  store.change({ height: 300 });
  expect(store.get()).toMatchObject({ state: "error", reason: "The widget did not begin.", height: 300 });
  store.change({ state: "ready" });
  expect(store.get().reason).toBeUndefined();
});
