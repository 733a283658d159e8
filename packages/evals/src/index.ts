export { canonicalJson, digestOf } from "./canonical.ts";
