/** @module Sandbox images: drafts of one person, and those shared with the project. */
import type { ComputerId, JobId, SandboxImageBuildId, SandboxImageId, UserId } from "@fettle/contract/core";
import { computerStatuses, imageBuildStatuses, imageSharings } from "@fettle/contract/sandboxes";
import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author, users } from "./accounts.ts";
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

/** What is built: the part of a blueprint that its content hash is made of. */
export interface Recipe {
  base: string;
  initialize: { name: string; run: string }[];
}

export const sandboxImageBuilds = pgTable(
  "sandbox_image_builds",
  {
    id: text("id").$type<SandboxImageBuildId>().primaryKey(),
    projectId: ofProject(),
    imageId: text("image_id")
      .$type<SandboxImageId>()
      .notNull()
      .references(() => sandboxImages.id, { onDelete: "cascade" }),
    /** The engine calls what was built by this and the project: builds of one recipe share it. */
    contentHash: text("content_hash").notNull(),
    recipe: jsonb("recipe").$type<Recipe>().notNull(),
    status: text("status", { enum: imageBuildStatuses }).notNull(),
    providerBuildId: text("provider_build_id"),
    /** Its end, plain. */
    log: text("log").notNull().default(""),
    error: text("error"),
    jobId: text("job_id").$type<JobId>(),
    createdAt: instant("created_at").notNull(),
    startedAt: instant("started_at"),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    index("sandbox_image_builds_image").on(table.imageId, table.createdAt),
    index("sandbox_image_builds_content").on(table.projectId, table.contentHash),
  ],
);

/** One for each person in each project. */
export const computers = pgTable(
  "computers",
  {
    id: text("id").$type<ComputerId>().primaryKey(),
    projectId: ofProject(),
    userId: text("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Null when the image is gone: then it is made of the base. */
    imageId: text("image_id")
      .$type<SandboxImageId>()
      .references(() => sandboxImages.id, { onDelete: "set null" }),
    contentHash: text("content_hash").notNull(),
    base: text("base").notNull(),
    status: text("status", { enum: computerStatuses }).notNull(),
    /** Why it is `failed`. */
    error: text("error"),
    /** Counts how often it was made anew: of two makers at once, the later one's is kept. */
    generation: integer("generation").notNull(),
    containerId: text("container_id"),
    lastUsedAt: instant("last_used_at").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("computers_person").on(table.projectId, table.userId)],
);
