/**
 * @module Columns of JSON that takes whatever is put into it. Drizzle's own `json` stays for what is kept as it was written, an
 * argument with a zero character included, and is never looked into by SQL: the first such character would fail the statement.
 */
import { customType } from "drizzle-orm/pg-core";
import { storableJson } from "./storable.ts";

interface Kept {
  data: unknown;
  driverData: string;
}

export const jsonb = customType<Kept>({ dataType: () => "jsonb", toDriver: storableJson });

/** In the order and spelling of its writer, and looked into by SQL. */
export const searchedJson = customType<Kept>({ dataType: () => "json", toDriver: storableJson });
