CREATE TABLE "eval_gate_waivers" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"suite_id" text NOT NULL,
	"run_id" text NOT NULL,
	"reason" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"policy_snapshot" jsonb,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"revoked_by" text
);
--> statement-breakpoint
CREATE TABLE "eval_iteration_traces" (
	"iteration_id" text PRIMARY KEY NOT NULL,
	"trace" json NOT NULL,
	"grade" json,
	"bytes" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "eval_iterations" (
	"id" text PRIMARY KEY NOT NULL,
	"run_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"case_id" text,
	"case_key" text NOT NULL,
	"title" text NOT NULL,
	"iteration_number" integer NOT NULL,
	"model" text,
	"provider" text,
	"status" text NOT NULL,
	"result" text,
	"stop_cause" text,
	"error" text,
	"error_class" text,
	"started_at" timestamp (3) with time zone,
	"duration_ms" double precision,
	"tokens_used" integer,
	"usage" jsonb,
	"cost_usd" double precision,
	"expected_tool_calls" json,
	"actual_tool_calls" json,
	"scores" json,
	"score_integrity" text,
	"evaluator_error" boolean DEFAULT false NOT NULL,
	"surface_changed" boolean DEFAULT false NOT NULL,
	"has_trace" boolean DEFAULT false NOT NULL,
	"external_iteration_id" text,
	"job_id" text,
	"attempts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "eval_run_groups" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"suite_id" text NOT NULL,
	"receipt" jsonb NOT NULL,
	"idempotency_scope" text,
	"request_hash" text,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "eval_run_snapshots" (
	"run_id" text PRIMARY KEY NOT NULL,
	"snapshot" json NOT NULL,
	"sealed_model_keys" text
);
--> statement-breakpoint
CREATE TABLE "eval_run_tools" (
	"run_id" text NOT NULL,
	"server_id" text NOT NULL,
	"server_name" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "eval_run_tools_run_id_server_id_pk" PRIMARY KEY("run_id","server_id")
);
--> statement-breakpoint
CREATE TABLE "eval_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"suite_id" text NOT NULL,
	"group_id" text,
	"group_label" text,
	"run_number" integer NOT NULL,
	"suite_name" text NOT NULL,
	"declared_suite_id" text,
	"status" text NOT NULL,
	"result" text,
	"reasons" text[] DEFAULT '{}' NOT NULL,
	"stop_reason" text,
	"error" text,
	"source" text NOT NULL,
	"notes" text,
	"target" jsonb NOT NULL,
	"environment_id" text,
	"environment_name" text,
	"environment_revision" integer,
	"client_id" text,
	"model" text,
	"model_source" text,
	"model_class" text,
	"repetitions_collapsed" boolean DEFAULT false NOT NULL,
	"minimum_pass_rate" double precision NOT NULL,
	"planned" integer NOT NULL,
	"summary" jsonb,
	"score_integrity" text,
	"evaluation_config_hash" text,
	"total_tokens" integer,
	"cost_usd" double precision,
	"ci" jsonb,
	"commit_sha" text,
	"launcher" jsonb,
	"approvals" jsonb,
	"import_eligibility" jsonb,
	"tool_surface_drift" json,
	"warnings" json DEFAULT '[]'::json NOT NULL,
	"judges" json DEFAULT '{}'::json NOT NULL,
	"surface" text NOT NULL,
	"created_by" text,
	"api_key_id" text,
	"idempotency_scope" text,
	"request_hash" text,
	"external_run_id" text,
	"expected_iterations" integer,
	"framework" text,
	"job_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "eval_tool_snapshots" (
	"project_id" text NOT NULL,
	"hash" text NOT NULL,
	"snapshot" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "eval_tool_snapshots_project_id_hash_pk" PRIMARY KEY("project_id","hash")
);
--> statement-breakpoint
CREATE TABLE "eval_case_drafts" (
	"scope_hash" text PRIMARY KEY NOT NULL,
	"suite_id" text NOT NULL,
	"request_hash" text NOT NULL,
	"generation_model" text NOT NULL,
	"drafts" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "eval_cases" (
	"id" text PRIMARY KEY NOT NULL,
	"suite_id" text NOT NULL,
	"declared_id" text NOT NULL,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"definition" json NOT NULL,
	"content_hash" text NOT NULL,
	"idempotency_scope" text,
	"request_hash" text,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "eval_schedules" (
	"suite_id" text PRIMARY KEY NOT NULL,
	"enabled" boolean NOT NULL,
	"interval_minutes" integer NOT NULL,
	"environment_id" text,
	"set_by" text,
	"next_run_at" timestamp (3) with time zone,
	"state" text DEFAULT 'ok' NOT NULL,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"last_run_id" text
);
--> statement-breakpoint
CREATE TABLE "eval_suite_environments" (
	"suite_id" text NOT NULL,
	"environment_id" text NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "eval_suite_environments_suite_id_environment_id_pk" PRIMARY KEY("suite_id","environment_id")
);
--> statement-breakpoint
CREATE TABLE "eval_suite_hosts" (
	"suite_id" text NOT NULL,
	"client_id" text NOT NULL,
	"position" integer NOT NULL,
	"server_ids" text[],
	CONSTRAINT "eval_suite_hosts_suite_id_client_id_pk" PRIMARY KEY("suite_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "eval_suites" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"origin" text NOT NULL,
	"declared_id" text,
	"source_hash" text,
	"provenance" jsonb,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"server_ids" text[] DEFAULT '{}' NOT NULL,
	"sandbox_image_id" text,
	"model" text,
	"provider" text,
	"system_prompt" text,
	"temperature" double precision,
	"settings" json NOT NULL,
	"next_run_number" integer DEFAULT 1 NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "eval_gate_waivers" ADD CONSTRAINT "eval_gate_waivers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_gate_waivers" ADD CONSTRAINT "eval_gate_waivers_suite_id_eval_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."eval_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_gate_waivers" ADD CONSTRAINT "eval_gate_waivers_run_id_eval_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."eval_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_gate_waivers" ADD CONSTRAINT "eval_gate_waivers_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_gate_waivers" ADD CONSTRAINT "eval_gate_waivers_revoked_by_users_id_fk" FOREIGN KEY ("revoked_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_iteration_traces" ADD CONSTRAINT "eval_iteration_traces_iteration_id_eval_iterations_id_fk" FOREIGN KEY ("iteration_id") REFERENCES "public"."eval_iterations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_iterations" ADD CONSTRAINT "eval_iterations_run_id_eval_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."eval_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_run_groups" ADD CONSTRAINT "eval_run_groups_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_run_groups" ADD CONSTRAINT "eval_run_groups_suite_id_eval_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."eval_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_run_groups" ADD CONSTRAINT "eval_run_groups_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_run_snapshots" ADD CONSTRAINT "eval_run_snapshots_run_id_eval_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."eval_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_run_tools" ADD CONSTRAINT "eval_run_tools_run_id_eval_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."eval_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_runs" ADD CONSTRAINT "eval_runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_runs" ADD CONSTRAINT "eval_runs_suite_id_eval_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."eval_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_runs" ADD CONSTRAINT "eval_runs_group_id_eval_run_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."eval_run_groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_runs" ADD CONSTRAINT "eval_runs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_tool_snapshots" ADD CONSTRAINT "eval_tool_snapshots_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_case_drafts" ADD CONSTRAINT "eval_case_drafts_suite_id_eval_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."eval_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_cases" ADD CONSTRAINT "eval_cases_suite_id_eval_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."eval_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_cases" ADD CONSTRAINT "eval_cases_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_schedules" ADD CONSTRAINT "eval_schedules_suite_id_eval_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."eval_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_schedules" ADD CONSTRAINT "eval_schedules_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_schedules" ADD CONSTRAINT "eval_schedules_set_by_users_id_fk" FOREIGN KEY ("set_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_suite_environments" ADD CONSTRAINT "eval_suite_environments_suite_id_eval_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."eval_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_suite_environments" ADD CONSTRAINT "eval_suite_environments_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_suite_hosts" ADD CONSTRAINT "eval_suite_hosts_suite_id_eval_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."eval_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_suite_hosts" ADD CONSTRAINT "eval_suite_hosts_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_suites" ADD CONSTRAINT "eval_suites_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_suites" ADD CONSTRAINT "eval_suites_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "eval_gate_waivers_run" ON "eval_gate_waivers" USING btree ("run_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "eval_iteration_traces_created" ON "eval_iteration_traces" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_iterations_order" ON "eval_iterations" USING btree ("run_id","ordinal");--> statement-breakpoint
CREATE INDEX "eval_iterations_case" ON "eval_iterations" USING btree ("run_id","case_key","ordinal");--> statement-breakpoint
CREATE INDEX "eval_iterations_unsettled" ON "eval_iterations" USING btree ("run_id","ordinal") WHERE status in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "eval_iterations_failed" ON "eval_iterations" USING btree ("run_id","ordinal") WHERE result = 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "eval_iterations_external" ON "eval_iterations" USING btree ("run_id","external_iteration_id");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_run_groups_idempotency" ON "eval_run_groups" USING btree ("idempotency_scope");--> statement-breakpoint
CREATE INDEX "eval_run_groups_suite" ON "eval_run_groups" USING btree ("suite_id");--> statement-breakpoint
CREATE INDEX "eval_runs_project" ON "eval_runs" USING btree ("project_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "eval_runs_suite" ON "eval_runs" USING btree ("suite_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "eval_runs_commit" ON "eval_runs" USING btree ("project_id","commit_sha","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "eval_runs"."commit_sha" is not null;--> statement-breakpoint
CREATE INDEX "eval_runs_group" ON "eval_runs" USING btree ("group_id") WHERE "eval_runs"."group_id" is not null;--> statement-breakpoint
CREATE INDEX "eval_runs_open" ON "eval_runs" USING btree ("project_id") WHERE status in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "eval_runs_request" ON "eval_runs" USING btree ("suite_id","request_hash","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_runs_number" ON "eval_runs" USING btree ("suite_id","run_number");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_runs_idempotency" ON "eval_runs" USING btree ("idempotency_scope");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_runs_external" ON "eval_runs" USING btree ("project_id","external_run_id");--> statement-breakpoint
CREATE INDEX "eval_case_drafts_suite" ON "eval_case_drafts" USING btree ("suite_id");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_cases_declared" ON "eval_cases" USING btree ("suite_id","declared_id");--> statement-breakpoint
CREATE INDEX "eval_cases_order" ON "eval_cases" USING btree ("suite_id","position","id");--> statement-breakpoint
CREATE INDEX "eval_cases_content" ON "eval_cases" USING btree ("suite_id","content_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_cases_idempotency" ON "eval_cases" USING btree ("suite_id","idempotency_scope");--> statement-breakpoint
CREATE INDEX "eval_schedules_due" ON "eval_schedules" USING btree ("next_run_at") WHERE "eval_schedules"."enabled";--> statement-breakpoint
CREATE INDEX "eval_suite_environments_environment" ON "eval_suite_environments" USING btree ("environment_id");--> statement-breakpoint
CREATE INDEX "eval_suite_hosts_client" ON "eval_suite_hosts" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "eval_suites_project" ON "eval_suites" USING btree ("project_id","updated_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_suites_declared" ON "eval_suites" USING btree ("project_id","declared_id");