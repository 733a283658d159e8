CREATE TABLE "conformance_reports" (
	"run_id" text NOT NULL,
	"suite_kind" text NOT NULL,
	"report" text NOT NULL,
	"content_hash" text NOT NULL,
	"tally" jsonb NOT NULL,
	"profile_id" text,
	"profile_version" text,
	"duration_ms" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "conformance_reports_run_id_suite_kind_pk" PRIMARY KEY("run_id","suite_kind")
);
--> statement-breakpoint
CREATE TABLE "conformance_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"server_id" text,
	"target" jsonb NOT NULL,
	"source" text NOT NULL,
	"verification" text NOT NULL,
	"status" text NOT NULL,
	"requested_suites" text[] NOT NULL,
	"protocol_version" text,
	"engine_version" text,
	"actor_label" text,
	"ci" jsonb,
	"external_run_id" text,
	"start_hash" text NOT NULL,
	"idempotency_key" text,
	"job_id" text,
	"faults" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"progress" jsonb,
	"outcome" text,
	"tally" jsonb,
	"duration_ms" integer,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"heartbeat_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "conformance_reports" ADD CONSTRAINT "conformance_reports_run_id_conformance_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."conformance_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conformance_runs" ADD CONSTRAINT "conformance_runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conformance_runs" ADD CONSTRAINT "conformance_runs_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conformance_runs" ADD CONSTRAINT "conformance_runs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conformance_runs_project" ON "conformance_runs" USING btree ("project_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "conformance_runs_server" ON "conformance_runs" USING btree ("server_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "conformance_runs_open" ON "conformance_runs" USING btree ("heartbeat_at") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "conformance_runs_external" ON "conformance_runs" USING btree ("project_id","external_run_id");--> statement-breakpoint
CREATE UNIQUE INDEX "conformance_runs_idempotency" ON "conformance_runs" USING btree ("project_id","server_id","idempotency_key");