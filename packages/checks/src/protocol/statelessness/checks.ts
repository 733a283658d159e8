/** @module Checks that every request stands for itself: nothing is remembered of earlier ones, whatever the connection. */
import { must } from "@fettle/contract/formats";
import { couldNotRun, notApplicable } from "../../verdict/check-result.ts";
import { spec, stateless } from "../../verdict/specification.ts";
import { describeAnswer, isForeign, resultOf } from "../conversation/exchange.ts";
import { judgeRefusal } from "../conversation/refusals.ts";
import { faultUnless, judged, judgedServed } from "../conversation/verdicts.ts";
import type { ProtocolCheck } from "../protocol-check.ts";
import { namesOn } from "./observe.ts";

const nothingListed = "The server lists nothing.";
const statelessness = spec("MUST", stateless, "Statelessness", "basic#statelessness");

export const statelessnessChecks: ProtocolCheck[] = [
  {
    id: "stateless-first-request",
    title: "Serves any request first",
    description:
      "A list is served as the first request of a new connection or process, without server/discover before it.",
    category: "protocol",
    rules: statelessness,
    needs: ["freshList"],
    judge({ freshList }) {
      if (!freshList) return notApplicable(nothingListed);
      const { fresh } = freshList;
      if (isForeign(fresh)) return couldNotRun(`Answered with ${describeAnswer(fresh)}, which is no MCP.`);
      const fault = `${fresh.method} as the first request was answered with ${describeAnswer(fresh)}`;
      return judgedServed(faultUnless(resultOf(fresh) !== undefined, fault), [fresh]);
    },
  },
  {
    id: "lists-stable",
    title: "Lists the same on every connection",
    description:
      "A new connection or process is listed what the others are, while nothing changes in between.",
    category: "protocol",
    rules: spec("MUST", stateless, "Capabilities", "server/tools#capabilities"),
    needs: ["freshList"],
    judge({ freshList }) {
      if (!freshList) return notApplicable(nothingListed);
      const { usual, fresh, again } = freshList;
      if (!resultOf(fresh) || !resultOf(again)) return couldNotRun(`${usual.method} was not served twice.`);
      const before = namesOn(usual, must(usual.pages[0], "a page of a list that is complete"));
      const there = namesOn(usual, fresh);
      const after = namesOn(usual, again);
      // What changed in between says nothing about connections.
      if (String(before) !== String(after)) return notApplicable("The list changed meanwhile, as it may.");
      const missing = before.filter((name) => !there.includes(name));
      const more = there.filter((name) => !before.includes(name));
      return judged(
        [
          ...missing.map((name) => `a new connection is not listed ${name}`),
          ...more.map((name) => `only a new connection is listed ${name}`),
        ],
        [fresh],
      );
    },
  },
  {
    id: "capabilities-not-remembered",
    title: "Forgets what a client declared",
    description:
      "A capability that one request declares does not count for the next: without it that is refused with -32021.",
    category: "protocol",
    rules: statelessness,
    needs: ["forgottenCapability"],
    judge: ({ forgottenCapability }) =>
      forgottenCapability
        ? judgeRefusal(forgottenCapability.undeclared, -32021)
        : notApplicable("No tool is known that may be called to see it."),
  },
];
