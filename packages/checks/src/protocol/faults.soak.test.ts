/** @module Every fault there is, alone, brought into a good server of each era: exactly the right checks fail, and no other. */
import { oneByOne, proveFaults } from "./testing/prove-faults.ts";

proveFaults("2025-11-25", oneByOne);
proveFaults("2026-07-28", oneByOne);
