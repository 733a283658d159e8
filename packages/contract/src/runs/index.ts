export { RunDeleted } from "./run-deleted.ts";
export { scheduleStates } from "./schedule-states.ts";
