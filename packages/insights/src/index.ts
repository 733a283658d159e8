export { type ErrorClass, type ErrorSaid, errorClasses, errorClassOf } from "./errors/error-class.ts";
export { templateOf, type Vocabulary } from "./errors/template.ts";
export { findingId, type Remedy, signalFingerprint } from "./finding-id.ts";
export { follow, type Sighting, type SignalRow, type SignalStatus, signalStatuses } from "./lifecycle.ts";
export { confidenceOf, inOrder, type Scored, severityOf, severityScore, type Weighed } from "./severity.ts";
