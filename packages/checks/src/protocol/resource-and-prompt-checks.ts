/** @module Checks of what the server says about its resources and prompts. */
import { isText } from "./lifecycle-checks.ts";
import { type ProtocolCheck, spec } from "./protocol-check.ts";
import { judgeList } from "./tool-checks.ts";
import { faultUnless } from "./verdicts.ts";

export const resourceAndPromptChecks: ProtocolCheck[] = [
  {
    id: "resources-list",
    title: "Lists its resources",
    description: "resources/list is answered with an array in which each resource has a URI and a name.",
    category: "resources",
    severity: "must",
    reference: spec("Listing resources", "server/resources#listing-resources"),
    needs: ["resources"],
    judge: ({ resources }) =>
      judgeList(resources, (resource, at) => [
        ...faultUnless(isText(resource.uri), `${at} has no uri`),
        ...faultUnless(isText(resource.name), `${at} has no name`),
      ]),
  },
  {
    id: "prompts-list",
    title: "Lists its prompts",
    description: "prompts/list is answered with an array in which each prompt has a name.",
    category: "prompts",
    severity: "must",
    reference: spec("Listing prompts", "server/prompts#listing-prompts"),
    needs: ["prompts"],
    judge: ({ prompts }) =>
      judgeList(prompts, (prompt, at) => faultUnless(isText(prompt.name), `${at} has no name`)),
  },
];
