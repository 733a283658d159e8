/** @module Faults brought into a good server of the stateful era: every check that there is notices its own. */
import { proveFaults, together } from "./testing/prove-faults.ts";

proveFaults("2025-11-25", together);
