CREATE TABLE "directory_servers" (
	"id" text PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"name" text NOT NULL,
	"content" jsonb NOT NULL,
	"content_hash" text NOT NULL,
	"search_text" text NOT NULL,
	"row_type" text NOT NULL,
	"endpoint_kind" text,
	"verified_tier" text NOT NULL,
	"unavailable_reason" text,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "registry_cards" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text,
	"name" text NOT NULL,
	"display_name" text,
	"description" text NOT NULL,
	"category" text,
	"tags" text[] NOT NULL,
	"publisher" text,
	"status" text NOT NULL,
	"url" text NOT NULL,
	"use_oauth" boolean NOT NULL,
	"oauth_scopes" text[] NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registry_sources" (
	"source" text PRIMARY KEY NOT NULL,
	"last_synced_at" timestamp (3) with time zone,
	"upstream_fetched_at" timestamp (3) with time zone,
	"last_fault" text,
	"skipped_count" integer DEFAULT 0 NOT NULL,
	"pages" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "provenance" jsonb;--> statement-breakpoint
ALTER TABLE "directory_servers" ADD CONSTRAINT "directory_servers_source_registry_sources_source_fk" FOREIGN KEY ("source") REFERENCES "public"."registry_sources"("source") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registry_cards" ADD CONSTRAINT "registry_cards_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registry_cards" ADD CONSTRAINT "registry_cards_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "directory_servers_name" ON "directory_servers" USING btree ("source","name");--> statement-breakpoint
CREATE INDEX "directory_servers_order" ON "directory_servers" USING btree ("name","id") WHERE "directory_servers"."removed_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "registry_cards_name" ON "registry_cards" USING btree (coalesce("organization_id", ''),"name");