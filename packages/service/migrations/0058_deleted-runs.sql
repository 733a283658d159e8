CREATE TABLE "deleted_runs" (
	"run_id" text PRIMARY KEY NOT NULL,
	"parts" text NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "eval_iterations" DROP CONSTRAINT "eval_iterations_run_id_eval_runs_id_fk";
--> statement-breakpoint
ALTER TABLE "journey_attempts" DROP CONSTRAINT "journey_attempts_run_id_journey_runs_id_fk";
--> statement-breakpoint
CREATE INDEX "deleted_runs_order" ON "deleted_runs" USING btree ("deleted_at");--> statement-breakpoint
-- Whatever deletes a run (a person, its age, the end of its suite, project or organization) leaves its rows to be given back in pieces.
-- Statement by statement: a cascade over many runs writes them down at once.
CREATE FUNCTION "note_deleted_runs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "deleted_runs" ("run_id", "parts", "deleted_at")
	SELECT "gone"."id", TG_ARGV[0], now() FROM "gone"
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "eval_runs_deleted" AFTER DELETE ON "eval_runs" REFERENCING OLD TABLE AS "gone"
FOR EACH STATEMENT EXECUTE FUNCTION "note_deleted_runs"('eval_iterations');--> statement-breakpoint
CREATE TRIGGER "journey_runs_deleted" AFTER DELETE ON "journey_runs" REFERENCING OLD TABLE AS "gone"
FOR EACH STATEMENT EXECUTE FUNCTION "note_deleted_runs"('journey_attempts');
