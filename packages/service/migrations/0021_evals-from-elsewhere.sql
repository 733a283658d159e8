CREATE TABLE "eval_artifacts" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"ticket_hash" text,
	"sha256" text,
	"content_type" text,
	"content" "bytea",
	"size" integer,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "eval_check_repos" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"project_id" text NOT NULL,
	"suite_id" text NOT NULL,
	"repo" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"outage_policy" text NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "eval_check_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "eval_check_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"repo_id" text NOT NULL,
	"head_sha" text NOT NULL,
	"branch" text,
	"pull_request" integer NOT NULL,
	"run_id" text,
	"error" text,
	"external_id" text,
	"told" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "eval_run_gradings" (
	"run_id" text NOT NULL,
	"revision" integer NOT NULL,
	"grading" json NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "eval_run_gradings_run_id_revision_pk" PRIMARY KEY("run_id","revision")
);
--> statement-breakpoint
ALTER TABLE "eval_runs" ADD COLUMN "judge_job_id" text;--> statement-breakpoint
ALTER TABLE "eval_artifacts" ADD CONSTRAINT "eval_artifacts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_artifacts" ADD CONSTRAINT "eval_artifacts_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_check_repos" ADD CONSTRAINT "eval_check_repos_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_check_repos" ADD CONSTRAINT "eval_check_repos_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_check_repos" ADD CONSTRAINT "eval_check_repos_suite_id_eval_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."eval_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_check_repos" ADD CONSTRAINT "eval_check_repos_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_check_runs" ADD CONSTRAINT "eval_check_runs_repo_id_eval_check_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."eval_check_repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_check_runs" ADD CONSTRAINT "eval_check_runs_run_id_eval_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."eval_runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_run_gradings" ADD CONSTRAINT "eval_run_gradings_run_id_eval_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."eval_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_run_gradings" ADD CONSTRAINT "eval_run_gradings_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "eval_artifacts_ticket" ON "eval_artifacts" USING btree ("ticket_hash");--> statement-breakpoint
CREATE INDEX "eval_artifacts_project" ON "eval_artifacts" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "eval_artifacts_expiry" ON "eval_artifacts" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_check_repos_name" ON "eval_check_repos" USING btree ("organization_id","repo");--> statement-breakpoint
CREATE INDEX "eval_check_repos_repo" ON "eval_check_repos" USING btree ("repo");--> statement-breakpoint
CREATE INDEX "eval_check_repos_suite" ON "eval_check_repos" USING btree ("suite_id");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_check_runs_commit" ON "eval_check_runs" USING btree ("repo_id","head_sha");--> statement-breakpoint
CREATE INDEX "eval_check_runs_run" ON "eval_check_runs" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "eval_runs_judging" ON "eval_runs" USING btree ("judge_job_id") WHERE "eval_runs"."judge_job_id" is not null;