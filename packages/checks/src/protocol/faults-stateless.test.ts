/** @module Faults brought into a good server of the stateless era, one for each check: exactly the right checks fail, and no other. */
import { coveringFaults, proveFaults } from "./testing/prove-faults.ts";

proveFaults("2026-07-28", coveringFaults());
