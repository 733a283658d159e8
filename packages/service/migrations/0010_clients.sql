CREATE TABLE "client_configs" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"config" text NOT NULL,
	"model_id" text NOT NULL,
	"server_ids" text[] NOT NULL,
	"server_count" integer NOT NULL,
	"has_computer" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "client_configs_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"config_id" text NOT NULL,
	"owner_scope" jsonb,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "environments" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text,
	"description" text,
	"host_id" text NOT NULL,
	"server_attachment_id" text,
	"model_id" text,
	"skill_ids" text[],
	"plugin_version_ids" text[],
	"sandbox_image_id" text,
	"fingerprint" text,
	"revision" integer DEFAULT 1 NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "client_configs" ADD CONSTRAINT "client_configs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_project_id_config_id_client_configs_project_id_id_fk" FOREIGN KEY ("project_id","config_id") REFERENCES "public"."client_configs"("project_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "environments" ADD CONSTRAINT "environments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "environments" ADD CONSTRAINT "environments_host_id_clients_id_fk" FOREIGN KEY ("host_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "environments" ADD CONSTRAINT "environments_server_attachment_id_server_groups_id_fk" FOREIGN KEY ("server_attachment_id") REFERENCES "public"."server_groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "environments" ADD CONSTRAINT "environments_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "clients_project" ON "clients" USING btree ("project_id") WHERE "clients"."deleted_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "environments_name" ON "environments" USING btree ("project_id",lower("name")) WHERE "environments"."archived_at" IS NULL AND "environments"."name" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "environments_fingerprint" ON "environments" USING btree ("project_id","fingerprint") WHERE "environments"."fingerprint" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "environments_host" ON "environments" USING btree ("host_id");