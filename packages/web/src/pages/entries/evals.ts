/** @module Eval suites, their cases, and what came of running them. */
import { pagesOf } from "../page.ts";

export const evalsPages = pagesOf("project", [
  {
    id: "evals",
    path: "/p/$pid/evals",
    title: "Evals",
    about: "Suites of questions for an agent with your servers, and whether it passes them",
    reads: ["listEvalSuites", "listProjectServers", "listModels"],
    action: { label: "New suite", operation: "createEvalSuite" },
    empty: {
      title: "No suites yet",
      text: "A suite asks an agent what people ask, and judges which tools it called and what it said.",
    },
    jump: "e",
    terminal: { operation: "listEvalSuites" },
    navigation: { label: "Evals", order: 2.6 },
  },
  {
    id: "eval-results",
    path: "/p/$pid/evals/$suid/results",
    title: "Results",
    about: "The suite's runs and cases, whether it gets better, and when it runs by itself",
    reads: ["getEvalSuite", "listEvalRuns", "listEvalCases"],
    action: { label: "Run suite", operation: "createEvalRun" },
    empty: {
      title: "It never ran",
      text: "A run plays every case against the servers as they are now, and keeps what happened.",
    },
    terminal: { operation: "createEvalRun", with: "--suite {suid} --wait" },
    tabs: "eval-suite",
  },
  {
    id: "eval-run",
    path: "/p/$pid/evals/runs/$erid",
    title: "Eval run",
    about: "What became of every case, why it failed, and what was said and called",
    reads: [
      "getEvalRun",
      "getEvalRunMatrix",
      "getEvalRunGate",
      "listEvalRunIterations",
      "getEvalIterationTrace",
    ],
    terminal: { operation: "getEvalRun" },
  },
  {
    id: "eval-compare",
    path: "/p/$pid/evals/runs/$erid/compare",
    title: "Compare runs",
    about: "What became better and worse since an earlier run",
    reads: ["getEvalRun", "listEvalRuns", "compareEvalRun"],
    terminal: { operation: "compareEvalRun" },
  },
  {
    id: "eval-run-group",
    path: "/p/$pid/evals/groups/$egid",
    title: "Runs together",
    about: "One suite on several targets, started together",
    reads: ["getEvalRunGroup", "getEvalRunMatrix"],
    terminal: { operation: "listEvalRuns" },
  },
]);
