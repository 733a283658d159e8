CREATE TABLE "job_schedules" (
	"key" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"input" jsonb NOT NULL,
	"cron" text NOT NULL,
	"timezone" text NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"input" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"singleton_key" text,
	"run_after" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"claim" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"attempts" integer NOT NULL,
	"retry_delay_ms" integer NOT NULL,
	"worker" text,
	"lease_until" timestamp (3) with time zone,
	"cancel_requested_at" timestamp (3) with time zone,
	"error" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "job_schedules_next" ON "job_schedules" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "jobs_waiting" ON "jobs" USING btree ("run_after","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "jobs_running" ON "jobs" USING btree ("lease_until") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "jobs_finished" ON "jobs" USING btree ("state","finished_at") WHERE state in ('done', 'parked', 'cancelled');--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_singleton" ON "jobs" USING btree ("name","singleton_key") WHERE singleton_key is not null and state in ('waiting', 'running');