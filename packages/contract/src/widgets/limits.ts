/** @module What widgets are held to. */
import { minute } from "../core/limits/units.ts";

export const widgetLimits = {
  documentBytes: 5_000_000,
  documentMs: 30 * minute,
  documentsPerPerson: 50,
  /** What a browser refused one document. */
  refusals: 50,
  /** Of what a declaration names and is not granted. */
  dropped: 100,
  uriLength: 2_048,
  hostIdLength: 100,
};
