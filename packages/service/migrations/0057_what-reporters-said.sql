CREATE TABLE "eval_run_reports" (
	"run_id" text PRIMARY KEY NOT NULL,
	"said" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "eval_run_reports" ADD CONSTRAINT "eval_run_reports_run_id_eval_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."eval_runs"("id") ON DELETE cascade ON UPDATE no action;