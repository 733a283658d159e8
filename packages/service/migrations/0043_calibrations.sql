CREATE TABLE "calibrations" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"source" jsonb NOT NULL,
	"environment_id" text NOT NULL,
	"environment_name" text NOT NULL,
	"persona_driver" text NOT NULL,
	"model" text NOT NULL,
	"sessions_total" integer NOT NULL,
	"frozen" json,
	"played" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"report" jsonb,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "calibrations" ADD CONSTRAINT "calibrations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calibrations" ADD CONSTRAINT "calibrations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "calibrations_project" ON "calibrations" USING btree ("project_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);