/** @module Every built operation, and of the others one for each kind of access, is tried with every kind of caller. */
import { everyCaller, proveAccess } from "../../testing/access/matrix.ts";

proveAccess({ callersOf: everyCaller, oddRequestsOf: "every operation" });
