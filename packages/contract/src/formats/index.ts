export { addressPart, decodedPart } from "./address-part.ts";
export { canonicalJson, isSameJson, sortKeys } from "./canonical-json.ts";
export { counted, pluralOf } from "./counted.ts";
export { endToEnd } from "./end-to-end.ts";
export {
  type ExactNumber,
  isExactNumber,
  mayHoldLongNumber,
  parseExactNumbers,
  withPlainNumbers,
} from "./exact-numbers.ts";
export { groupBy, type Some } from "./group-by.ts";
export { type HttpExchange, harOf } from "./har.ts";
export { escapeHidden, hiddenSpans } from "./hidden-characters.ts";
export { type JsonChange, jsonChanges } from "./json-changes.ts";
export { findByPointer, pointerStep } from "./json-pointer.ts";
export { must } from "./must.ts";
export { neighbors } from "./neighbors.ts";
export { only } from "./only.ts";
export { readServerSentEvents, type ServerSentEvent } from "./server-sent-events.ts";
export { shellWord } from "./shell-word.ts";
export { terms, type VerbClass, verbClasses } from "./terms.ts";
export {
  expandTemplate,
  needsNothing,
  parseTemplate,
  type TemplateValue,
  type TemplateVariable,
} from "./uri-template.ts";
export { unzipEntry, type ZipEntry, ZipFault, zipCount, zipEntries } from "./zip.ts";
