CREATE TABLE "journey_attempt_traces" (
	"attempt_id" text PRIMARY KEY NOT NULL,
	"trace" json NOT NULL,
	"farewell" text
);
--> statement-breakpoint
CREATE TABLE "journey_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"run_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"target_index" integer NOT NULL,
	"target_id" text NOT NULL,
	"target_name" text NOT NULL,
	"index" integer NOT NULL,
	"state" text NOT NULL,
	"error" text,
	"ended_by" text,
	"turns" integer,
	"tool_calls" integer,
	"tool_errors" integer,
	"total_tokens" integer,
	"cost_usd" double precision,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"grading" json,
	"goal" json
);
--> statement-breakpoint
CREATE TABLE "journey_run_snapshots" (
	"run_id" text PRIMARY KEY NOT NULL,
	"snapshot" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "journey_run_tools" (
	"run_id" text NOT NULL,
	"target_index" integer NOT NULL,
	"server_id" text NOT NULL,
	"server_name" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "journey_run_tools_run_id_target_index_server_id_pk" PRIMARY KEY("run_id","target_index","server_id")
);
--> statement-breakpoint
CREATE TABLE "journey_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"journey_id" text NOT NULL,
	"journey_name" text NOT NULL,
	"persona" jsonb NOT NULL,
	"wave_id" text NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"canceled" boolean DEFAULT false NOT NULL,
	"stale" boolean DEFAULT false NOT NULL,
	"sessions_total" integer NOT NULL,
	"has_rubric" boolean NOT NULL,
	"has_judge" boolean NOT NULL,
	"persona_driver" text NOT NULL,
	"idempotency_scope" text,
	"request_hash" text NOT NULL,
	"job_id" text,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"heartbeat_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "journey_attempt_traces" ADD CONSTRAINT "journey_attempt_traces_attempt_id_journey_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."journey_attempts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journey_attempts" ADD CONSTRAINT "journey_attempts_run_id_journey_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."journey_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journey_run_snapshots" ADD CONSTRAINT "journey_run_snapshots_run_id_journey_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."journey_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journey_run_tools" ADD CONSTRAINT "journey_run_tools_run_id_journey_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."journey_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journey_runs" ADD CONSTRAINT "journey_runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journey_runs" ADD CONSTRAINT "journey_runs_journey_id_journeys_id_fk" FOREIGN KEY ("journey_id") REFERENCES "public"."journeys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journey_runs" ADD CONSTRAINT "journey_runs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "journey_attempts_order" ON "journey_attempts" USING btree ("run_id","ordinal");--> statement-breakpoint
CREATE INDEX "journey_attempts_unsettled" ON "journey_attempts" USING btree ("run_id","ordinal") WHERE state in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "journey_runs_journey" ON "journey_runs" USING btree ("journey_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "journey_runs_project" ON "journey_runs" USING btree ("project_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "journey_runs_wave" ON "journey_runs" USING btree ("project_id","wave_id");--> statement-breakpoint
CREATE INDEX "journey_runs_open" ON "journey_runs" USING btree ("heartbeat_at") WHERE status = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "journey_runs_idempotency" ON "journey_runs" USING btree ("idempotency_scope");