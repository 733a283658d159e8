CREATE TABLE "readiness_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"server_id" text,
	"server_url" text NOT NULL,
	"readiness_kind" text NOT NULL,
	"submission_mode" text,
	"status" text NOT NULL,
	"overall_status" text,
	"lanes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"stages" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"auth_mode" text,
	"capabilities" text[] DEFAULT '{}' NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"terminal_reason" text,
	"error_message" text,
	"policy_snapshot_date" text,
	"engine_version" text,
	"include_llm_observations" boolean NOT NULL,
	"llm_observations" jsonb NOT NULL,
	"report" text,
	"idempotency_key" text,
	"job_id" text,
	"cancel_requested_at" timestamp (3) with time zone,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "readiness_runs" ADD CONSTRAINT "readiness_runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "readiness_runs" ADD CONSTRAINT "readiness_runs_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "readiness_runs" ADD CONSTRAINT "readiness_runs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "readiness_runs_project" ON "readiness_runs" USING btree ("project_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "readiness_runs_open" ON "readiness_runs" USING btree ("created_at") WHERE status in ('pending', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "readiness_runs_idempotency" ON "readiness_runs" USING btree ("server_id","readiness_kind","created_by","idempotency_key");