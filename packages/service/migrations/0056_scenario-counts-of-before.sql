-- 0052 dropped these two columns, so that processes of the version before it failed on every scenario while they ran beside new ones.
-- They are back for those processes alone: filled once, and what such a process counts here is added to the tallies, where every other
-- process counts and reads. The tables in `src` do not name them. The next version may drop them, with the trigger.
ALTER TABLE "scenarios" ADD COLUMN IF NOT EXISTS "session_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "scenarios" ADD COLUMN IF NOT EXISTS "synthetic_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "scenarios" SET
	"session_count" = (SELECT coalesce(sum("sessions"), 0) FROM "scenario_tallies" WHERE "scenario_id" = "scenarios"."id" AND "population" = 'real'),
	"synthetic_count" = (SELECT coalesce(sum("sessions"), 0) FROM "scenario_tallies" WHERE "scenario_id" = "scenarios"."id" AND "population" = 'synthetic');--> statement-breakpoint
CREATE FUNCTION "tally_counts_of_before"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "scenario_tallies" AS "tally" ("scenario_id", "population", "slot", "sessions")
	SELECT NEW."id", "counted"."population", pg_backend_pid() % 64, "counted"."more"
	FROM (VALUES
		('real', NEW."session_count" - OLD."session_count"),
		('synthetic', NEW."synthetic_count" - OLD."synthetic_count")
	) AS "counted" ("population", "more")
	WHERE "counted"."more" > 0
	ON CONFLICT ("scenario_id", "population", "slot") DO UPDATE SET "sessions" = "tally"."sessions" + EXCLUDED."sessions";
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "scenarios_counted_by_before" AFTER UPDATE OF "session_count", "synthetic_count" ON "scenarios"
FOR EACH ROW EXECUTE FUNCTION "tally_counts_of_before"();
