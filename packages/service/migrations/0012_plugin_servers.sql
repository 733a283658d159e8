DROP INDEX "servers_name";--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "plugin_version_id" text;--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_plugin_version_id_plugin_versions_id_fk" FOREIGN KEY ("plugin_version_id") REFERENCES "public"."plugin_versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "servers_name" ON "servers" USING btree ("project_id",lower("name")) WHERE "servers"."deleted_at" IS NULL AND "servers"."plugin_version_id" IS NULL;