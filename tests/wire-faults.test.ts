/** @module The hostile corpus, all of it over HTTP and part of it over stdio, through the doctor, the protocol suite and plain commands: what they say is held to one another, and nothing crashes or outlives its time-out. */
import { holdVerdicts, namesOver } from "./wire-verdicts-held.ts";

holdVerdicts("http", namesOver("http"));
/** Over stdio each look is a process of its own, so here only what that transport adds or does differently; the long run takes them all. */
holdVerdicts("stdio", [
  "no-newline",
  "noisy-stdout",
  "byte-order-mark",
  "batch-answers",
  "text-ids",
  "answers-notifications",
  "answers-on-stderr",
]);
