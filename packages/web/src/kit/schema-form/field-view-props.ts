/** @module What a field is drawn from. A field may hold fields: what draws those inside is handed down, so that no part needs to know the whole. */
import type { ComponentType, ReactNode } from "react";
import type { Json } from "../../lib/json-exact.ts";
import type { Path } from "./value.ts";

export interface FieldViewProps {
  name: string;
  schema: Json;
  value: Json | undefined;
  path: Path;
  required: boolean;
  /** Buttons at the end of the label's line. */
  aside?: ReactNode;
  /** A union's choice is drawn at the path of the union itself; this tells their ids apart. */
  layer?: number;
}

/** Of what holds fields. */
export interface HoldsFields {
  /** Draws one of them. */
  View: ComponentType<FieldViewProps>;
}
