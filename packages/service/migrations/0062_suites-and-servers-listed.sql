DROP INDEX "eval_suites_project";--> statement-breakpoint
CREATE INDEX "eval_suites_listed" ON "eval_suites" USING btree ("project_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "servers_listed" ON "servers" USING btree ("project_id","updated_at","id") WHERE "servers"."deleted_at" IS NULL AND "servers"."plugin_version_id" IS NULL;