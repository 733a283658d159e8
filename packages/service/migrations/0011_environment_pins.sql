CREATE TABLE "plugin_versions" (
	"id" text PRIMARY KEY NOT NULL,
	"plugin_id" text NOT NULL,
	"declared_version" text,
	"bundle_hash" text NOT NULL,
	"manifest_hash" text,
	"status" text NOT NULL,
	"problems" text[] NOT NULL,
	"component_counts" jsonb NOT NULL,
	"servers" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ready_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "plugins" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"display_name" text,
	"description" text,
	"enabled" boolean NOT NULL,
	"active_version_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"uninstalled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "skills" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"owner_id" text,
	"plugin_version_id" text,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"sharing" text NOT NULL,
	"content" text NOT NULL,
	"extra_frontmatter" text[] NOT NULL,
	"files" jsonb NOT NULL,
	"aggregate_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "plugin_versions" ADD CONSTRAINT "plugin_versions_plugin_id_plugins_id_fk" FOREIGN KEY ("plugin_id") REFERENCES "public"."plugins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plugins" ADD CONSTRAINT "plugins_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skills" ADD CONSTRAINT "skills_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skills" ADD CONSTRAINT "skills_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skills" ADD CONSTRAINT "skills_plugin_version_id_plugin_versions_id_fk" FOREIGN KEY ("plugin_version_id") REFERENCES "public"."plugin_versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "plugin_versions_plugin" ON "plugin_versions" USING btree ("plugin_id");--> statement-breakpoint
CREATE UNIQUE INDEX "plugin_versions_bundle" ON "plugin_versions" USING btree ("plugin_id","bundle_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "plugins_name" ON "plugins" USING btree ("project_id","name") WHERE "plugins"."uninstalled_at" IS NULL;--> statement-breakpoint
CREATE INDEX "skills_project" ON "skills" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "skills_shared_name" ON "skills" USING btree ("project_id","name") WHERE "skills"."sharing" = 'project' AND "skills"."plugin_version_id" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "skills_draft_name" ON "skills" USING btree ("project_id","owner_id","name") WHERE "skills"."sharing" = 'user' AND "skills"."plugin_version_id" IS NULL;