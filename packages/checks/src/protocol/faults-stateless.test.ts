/** @module Faults brought into a good server of the stateless era: every check that there is notices its own. */
import { proveFaults, together } from "./testing/prove-faults.ts";

proveFaults("2026-07-28", together);
