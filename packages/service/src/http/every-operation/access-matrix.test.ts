/**
 * @module One operation of each access policy is tried with everyone who could call it, every other built operation with one
 * caller for each answer that the contract gives. The long run tries all of them with everyone.
 */
import { callersByAnswer, proveAccess } from "../../testing/access/matrix.ts";

proveAccess({ callersOf: callersByAnswer, oddRequestsOf: "one of each policy" });
