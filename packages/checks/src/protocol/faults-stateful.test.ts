/** @module Faults brought into a good server of the stateful era, one for each check: exactly the right checks fail, and no other. */
import { coveringFaults, proveFaults } from "./testing/prove-faults.ts";

proveFaults("2025-11-25", coveringFaults());
