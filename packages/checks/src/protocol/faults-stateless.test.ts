/** @module Every fault brought into a good server of the stateless era: exactly the right checks fail, and no other. */
import { proveFaults } from "./testing/prove-faults.ts";

proveFaults("2026-07-28");
