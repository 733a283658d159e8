/** @module Sandbox images: drafts of one person, and those shared with the project. */
import { imageSharings, type SandboxImageId } from "@fettle/contract";
import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { author } from "./accounts.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";

export const sandboxImages = pgTable(
  "sandbox_images",
  {
    id: text("id").$type<SandboxImageId>().primaryKey(),
    projectId: ofProject(),
    /** Null when the person is gone. */
    ownerId: author("owner_id"),
    name: text("name").notNull(),
    sharing: text("sharing", { enum: imageSharings }).notNull(),
    /** As it was written. */
    blueprint: text("blueprint").notNull(),
    contentHash: text("content_hash").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("sandbox_images_shared_name")
      .on(table.projectId, table.name)
      .where(sql`${table.sharing} = 'project'`),
    uniqueIndex("sandbox_images_draft_name")
      .on(table.projectId, table.ownerId, table.name)
      .where(sql`${table.sharing} = 'user'`),
  ],
);

/** What this deployment calls itself to a container engine; one row. */
export const sandboxDeployment = pgTable(
  "sandbox_deployment",
  {
    /** Always true: this is what makes it one row. */
    only: boolean("only").primaryKey().default(true),
    id: text("id").notNull(),
  },
  (table) => [check("sandbox_deployment_only", sql`${table.only}`)],
);
