import { defineConfig } from "drizzle-kit";

// Tables live beside the rules that own them; one migration folder serves every database.
export default defineConfig({
  dialect: "postgresql",
  schema: "./packages/service/src/core/tables/*.ts",
  out: "./packages/service/migrations",
});
