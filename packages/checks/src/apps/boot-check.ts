/** @module Whether widgets begin at all, as a real browser saw them. */
import { limits } from "@fettle/contract/core";
import { couldNotRun } from "../verdict/check-result.ts";
import { type AppsCheck, appsSpec, noWidgets, verdictOf } from "./apps-check.ts";

export const widgetBoots: AppsCheck = {
  id: "ui-widget-boots",
  title: "A widget begins in a browser",
  description:
    "Shown in a browser, every widget that a tool names sends ui/initialize and then ui/notifications/initialized: before that a host tells it nothing. No tool is called; the result it is shown with is empty.",
  category: "resources",
  rules: appsSpec("MUST", "Sandbox proxy", "sandbox-proxy"),
  needs: ["boots"],
  mayTakeMs: limits.conformance.bootMs,
  judge: ({ boots }) => {
    if (boots.length === 0) return noWidgets;
    const faults = boots.flatMap(({ uri, end }) => ("fault" in end ? [`${uri}: ${end.fault}`] : []));
    const unseen = boots.flatMap(({ uri, end }) => ("unseen" in end ? [`${uri}: ${end.unseen}`] : []));
    if (faults.length === 0 && unseen.length > 0) return couldNotRun(unseen.join(" "));
    return verdictOf(
      faults,
      // It began all the same, and no sentence forbids it.
      boots.flatMap(({ uri, end, errors }) =>
        "begun" in end
          ? errors.map((error) => ({
              word: "inferred" as const,
              message: `${uri}: an error that nobody caught before it had begun: ${error.split("\n", 1)[0]}`,
            }))
          : [],
      ),
    );
  },
};
