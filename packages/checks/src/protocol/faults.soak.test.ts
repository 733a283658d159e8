/** @module Every fault there is brought into a good server of each era: exactly the right checks fail, and no other. */
import { mutations } from "./testing/mutations.ts";
import { proveFaults } from "./testing/prove-faults.ts";

proveFaults("2025-11-25", mutations);
proveFaults("2026-07-28", mutations);
