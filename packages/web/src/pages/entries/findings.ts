/** @module Problems found in eval runs, waves and what visitors did. */
import { pagesOf } from "../page.ts";

export const findingsPages = pagesOf("project", [
  {
    id: "findings",
    path: "/p/$pid/findings",
    title: "Findings",
    about: "Problems found in eval runs, waves and visitor sessions, and their status",
    reads: ["listFindings"],
    jump: "i",
    terminal: { none: "Findings of one run are in the terminal: fettle cloud eval insights." },
    navigation: { label: "Findings", order: 2.8 },
  },
  {
    id: "finding",
    path: "/p/$pid/findings/$fam/$fid",
    title: "Finding",
    about: "One problem: what was observed, and what to change",
    reads: ["getFinding"],
    terminal: { none: "Findings of one run are in the terminal: fettle cloud eval insights." },
  },
]);
