/** @module What is published for visitors, and what they did with it. */
import { pagesOf } from "../page.ts";

export const userTestingPages = pagesOf("project", [
  {
    id: "scenarios",
    path: "/p/$pid/user-testing",
    title: "User testing",
    about: "Environments published for visitors",
    reads: ["listScenarios"],
    action: {
      label: "Publish",
      operation: "publishScenario",
      needs: "admin",
      refusal: "Only project admins can publish; your role here is {role}.",
    },
    empty: {
      title: "Nothing is published yet",
      text: "Publish an environment and hand out its link: people talk with it, and you read what they asked and what failed.",
    },
    jump: "u",
    terminal: { operation: "listScenarios" },
    navigation: { label: "User testing", order: 2.7 },
  },
  {
    id: "scenario",
    path: "/p/$pid/user-testing/$scid",
    title: "Scenario",
    about: "The link to hand out, what visitors did, and what was found",
    reads: [
      "getScenario",
      "getUserTestingScenario",
      "listUserTestingSessions",
      "getUserTestingMetrics",
      "getUserTestingUsage",
      "listScenarioMembers",
    ],
    terminal: { operation: "getScenario" },
  },
  {
    id: "visitor-session",
    path: "/p/$pid/user-testing/$scid/sessions/$vsid",
    title: "Visitor's session",
    about: "What one visitor said, what was called, and how they rated it",
    reads: ["getUserTestingSession", "getScenario"],
    terminal: { operation: "getUserTestingSession" },
  },
]);
