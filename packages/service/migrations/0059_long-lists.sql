CREATE TABLE "eval_suite_tallies" (
	"suite_id" text PRIMARY KEY NOT NULL,
	"cases" integer DEFAULT 0 NOT NULL,
	"runs" integer DEFAULT 0 NOT NULL,
	"passed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"latest_run_id" text,
	"latest_run_at" timestamp (3) with time zone,
	"trend" double precision[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_verdicts" (
	"server_id" text NOT NULL,
	"kind" text NOT NULL,
	"entry_id" text NOT NULL,
	CONSTRAINT "server_verdicts_server_id_kind_pk" PRIMARY KEY("server_id","kind")
);
--> statement-breakpoint
DROP INDEX "chat_sessions_project";--> statement-breakpoint
DROP INDEX "eval_iterations_failed";--> statement-breakpoint
DROP INDEX "audit_entries_latest";--> statement-breakpoint
DROP INDEX "audit_entries_action";--> statement-breakpoint
DROP INDEX "audit_entries_user";--> statement-breakpoint
DROP INDEX "audit_entries_project";--> statement-breakpoint
DROP INDEX "calibrations_project";--> statement-breakpoint
DROP INDEX "chat_sessions_person";--> statement-breakpoint
DROP INDEX "conformance_runs_project";--> statement-breakpoint
DROP INDEX "conformance_runs_server";--> statement-breakpoint
DROP INDEX "eval_gate_waivers_run";--> statement-breakpoint
DROP INDEX "eval_runs_project";--> statement-breakpoint
DROP INDEX "eval_runs_suite";--> statement-breakpoint
DROP INDEX "eval_runs_commit";--> statement-breakpoint
DROP INDEX "eval_suites_project";--> statement-breakpoint
DROP INDEX "insight_findings_project";--> statement-breakpoint
DROP INDEX "insights_family";--> statement-breakpoint
DROP INDEX "journey_runs_journey";--> statement-breakpoint
DROP INDEX "journey_runs_project";--> statement-breakpoint
DROP INDEX "webhook_deliveries_latest";--> statement-breakpoint
DROP INDEX "webhook_deliveries_state";--> statement-breakpoint
DROP INDEX "readiness_runs_project";--> statement-breakpoint
DROP INDEX "server_history_latest";--> statement-breakpoint
DROP INDEX "server_history_kind";--> statement-breakpoint
DROP INDEX "server_history_outcome";--> statement-breakpoint
DROP INDEX "server_history_kind_outcome";--> statement-breakpoint
DROP INDEX "server_history_call";--> statement-breakpoint
DROP INDEX "scenario_sessions_open";--> statement-breakpoint
ALTER TABLE "eval_iterations" ADD COLUMN "project_id" text;--> statement-breakpoint
ALTER TABLE "eval_suite_tallies" ADD CONSTRAINT "eval_suite_tallies_suite_id_eval_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."eval_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "server_verdicts" ADD CONSTRAINT "server_verdicts_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Kept by the database, in the transaction of whatever changes what they tell of, so that processes of the version before keep them
-- too while they run beside new ones. Triggers come before the rows they keep are filled in: making one waits for writers and holds
-- them off, so nothing is written between the two.
CREATE FUNCTION "place_iteration"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."project_id" := (SELECT "project_id" FROM "eval_runs" WHERE "id" = NEW."run_id");
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "eval_iterations_placed" BEFORE INSERT ON "eval_iterations"
FOR EACH ROW WHEN (NEW."project_id" IS NULL) EXECUTE FUNCTION "place_iteration"();--> statement-breakpoint
UPDATE "eval_iterations" SET "project_id" = "run"."project_id", "started_at" = coalesce("eval_iterations"."started_at", CASE WHEN "has_trace" THEN "run"."created_at" END)
FROM "eval_runs" AS "run" WHERE "run"."id" = "eval_iterations"."run_id";--> statement-breakpoint
CREATE FUNCTION "note_verdict"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "server_verdicts" AS "latest" ("server_id", "kind", "entry_id") VALUES (NEW."server_id", NEW."kind", NEW."id")
	ON CONFLICT ("server_id", "kind") DO UPDATE SET "entry_id" = EXCLUDED."entry_id" WHERE "latest"."entry_id" COLLATE "C" < EXCLUDED."entry_id";
	RETURN NULL;
END $$;--> statement-breakpoint
-- What was written meanwhile is seen by the statement after the one that waits for the row, and not by that one.
CREATE FUNCTION "forget_verdict"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"before" text;
BEGIN
	PERFORM FROM "server_verdicts" WHERE "server_id" = OLD."server_id" AND "kind" = OLD."kind" AND "entry_id" = OLD."id" FOR UPDATE;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	SELECT "id" INTO "before" FROM "server_history"
	WHERE "server_id" = OLD."server_id" AND "kind" = OLD."kind" AND "outcome" <> 'stopped' ORDER BY "id" COLLATE "C" DESC LIMIT 1;
	IF FOUND THEN
		UPDATE "server_verdicts" SET "entry_id" = "before" WHERE "server_id" = OLD."server_id" AND "kind" = OLD."kind";
	ELSE
		DELETE FROM "server_verdicts" WHERE "server_id" = OLD."server_id" AND "kind" = OLD."kind";
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "server_history_verdict_noted" AFTER INSERT ON "server_history" FOR EACH ROW
WHEN (NEW."kind" IN ('health', 'doctor', 'conformance', 'compat', 'oauth') AND NEW."outcome" <> 'stopped') EXECUTE FUNCTION "note_verdict"();--> statement-breakpoint
CREATE TRIGGER "server_history_verdict_forgotten" AFTER DELETE ON "server_history" FOR EACH ROW
WHEN (OLD."kind" IN ('health', 'doctor', 'conformance', 'compat', 'oauth') AND OLD."outcome" <> 'stopped') EXECUTE FUNCTION "forget_verdict"();--> statement-breakpoint
INSERT INTO "server_verdicts" ("server_id", "kind", "entry_id")
SELECT "server_id", "kind", max("id" COLLATE "C") FROM "server_history"
WHERE "kind" IN ('health', 'doctor', 'conformance', 'compat', 'oauth') AND "outcome" <> 'stopped' GROUP BY "server_id", "kind";--> statement-breakpoint
-- Of suites whose rows are held: what others have just written to their runs is seen by the statements in here.
CREATE FUNCTION "tally_trends"("suites" text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "eval_suite_tallies" AS "tally" SET "trend" = coalesce((
		SELECT array_agg("rate" ORDER BY "created_at", "id") FROM (
			SELECT ("summary" ->> 'passRate')::double precision AS "rate", "created_at", "id" FROM "eval_runs"
			WHERE "suite_id" = "tally"."suite_id" AND NOT "is_partial" AND "status" = 'completed' AND "summary" ->> 'passRate' IS NOT NULL
			ORDER BY "created_at" DESC, "id" DESC LIMIT 20
		) AS "finished"
	), '{}') WHERE "suite_id" = ANY ("suites");
END
$$;--> statement-breakpoint
CREATE FUNCTION "tally_new_runs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "eval_suite_tallies" AS "tally" ("suite_id", "runs", "passed", "failed", "latest_run_id", "latest_run_at")
	SELECT "suite_id", count(*), count(*) FILTER (WHERE "result" = 'passed'), count(*) FILTER (WHERE "result" = 'failed'),
		(array_agg("id" ORDER BY "created_at" DESC, "id" DESC))[1], max("created_at")
	FROM "made" WHERE NOT "is_partial" GROUP BY "suite_id" ORDER BY "suite_id"
	ON CONFLICT ("suite_id") DO UPDATE SET
		"runs" = "tally"."runs" + EXCLUDED."runs",
		"passed" = "tally"."passed" + EXCLUDED."passed",
		"failed" = "tally"."failed" + EXCLUDED."failed",
		"latest_run_id" = CASE WHEN ("tally"."latest_run_at", "tally"."latest_run_id") > (EXCLUDED."latest_run_at", EXCLUDED."latest_run_id")
			THEN "tally"."latest_run_id" ELSE EXCLUDED."latest_run_id" END,
		"latest_run_at" = greatest("tally"."latest_run_at", EXCLUDED."latest_run_at");
	IF EXISTS (SELECT FROM "made" WHERE "status" = 'completed' AND NOT "is_partial") THEN
		PERFORM "tally_trends"(ARRAY(SELECT DISTINCT "suite_id" FROM "made" WHERE NOT "is_partial"));
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "tally_changed_run"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "eval_suite_tallies" SET
		"passed" = "passed" + (NEW."result" IS NOT DISTINCT FROM 'passed')::int - (OLD."result" IS NOT DISTINCT FROM 'passed')::int,
		"failed" = "failed" + (NEW."result" IS NOT DISTINCT FROM 'failed')::int - (OLD."result" IS NOT DISTINCT FROM 'failed')::int
	WHERE "suite_id" = NEW."suite_id";
	IF NEW."status" = 'completed' OR OLD."status" = 'completed' THEN
		PERFORM "tally_trends"(ARRAY[NEW."suite_id"]);
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "tally_deleted_runs"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"suites" text[] := ARRAY(SELECT DISTINCT "suite_id" FROM "gone" WHERE NOT "is_partial" ORDER BY "suite_id");
BEGIN
	IF cardinality("suites") = 0 THEN
		RETURN NULL;
	END IF;
	PERFORM FROM "eval_suite_tallies" WHERE "suite_id" = ANY ("suites") ORDER BY "suite_id" FOR UPDATE;
	UPDATE "eval_suite_tallies" AS "tally" SET
		"runs" = "tally"."runs" - "counted"."runs",
		"passed" = "tally"."passed" - "counted"."passed",
		"failed" = "tally"."failed" - "counted"."failed"
	FROM (
		SELECT "suite_id", count(*) AS "runs", count(*) FILTER (WHERE "result" = 'passed') AS "passed",
			count(*) FILTER (WHERE "result" = 'failed') AS "failed"
		FROM "gone" WHERE NOT "is_partial" GROUP BY "suite_id"
	) AS "counted" WHERE "counted"."suite_id" = "tally"."suite_id";
	UPDATE "eval_suite_tallies" AS "tally" SET ("latest_run_id", "latest_run_at") = (
		SELECT "id", "created_at" FROM "eval_runs" WHERE "suite_id" = "tally"."suite_id" AND NOT "is_partial"
		ORDER BY "created_at" DESC, "id" DESC LIMIT 1
	) WHERE "latest_run_id" IN (SELECT "id" FROM "gone");
	PERFORM "tally_trends"("suites");
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "tally_cases"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO "eval_suite_tallies" AS "tally" ("suite_id", "cases")
		SELECT "suite_id", count(*) FROM "changed" GROUP BY "suite_id" ORDER BY "suite_id"
		ON CONFLICT ("suite_id") DO UPDATE SET "cases" = "tally"."cases" + EXCLUDED."cases";
	ELSE
		PERFORM FROM "eval_suite_tallies" WHERE "suite_id" IN (SELECT "suite_id" FROM "changed") ORDER BY "suite_id" FOR UPDATE;
		UPDATE "eval_suite_tallies" AS "tally" SET "cases" = "tally"."cases" - "counted"."cases"
		FROM (SELECT "suite_id", count(*) AS "cases" FROM "changed" GROUP BY "suite_id") AS "counted"
		WHERE "counted"."suite_id" = "tally"."suite_id";
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "eval_runs_tallied" AFTER INSERT ON "eval_runs" REFERENCING NEW TABLE AS "made"
FOR EACH STATEMENT EXECUTE FUNCTION "tally_new_runs"();--> statement-breakpoint
CREATE TRIGGER "eval_runs_tallied_again" AFTER UPDATE OF "status", "result", "summary" ON "eval_runs" FOR EACH ROW
WHEN (NOT NEW."is_partial" AND (NEW."result" IS DISTINCT FROM OLD."result" OR NEW."status" IS DISTINCT FROM OLD."status"
	AND 'completed' IN (NEW."status", OLD."status") OR NEW."summary" IS DISTINCT FROM OLD."summary")) EXECUTE FUNCTION "tally_changed_run"();--> statement-breakpoint
CREATE TRIGGER "eval_runs_tallied_less" AFTER DELETE ON "eval_runs" REFERENCING OLD TABLE AS "gone"
FOR EACH STATEMENT EXECUTE FUNCTION "tally_deleted_runs"();--> statement-breakpoint
CREATE TRIGGER "eval_cases_tallied" AFTER INSERT ON "eval_cases" REFERENCING NEW TABLE AS "changed"
FOR EACH STATEMENT EXECUTE FUNCTION "tally_cases"();--> statement-breakpoint
CREATE TRIGGER "eval_cases_tallied_less" AFTER DELETE ON "eval_cases" REFERENCING OLD TABLE AS "changed"
FOR EACH STATEMENT EXECUTE FUNCTION "tally_cases"();--> statement-breakpoint
INSERT INTO "eval_suite_tallies" ("suite_id", "cases", "runs", "passed", "failed", "latest_run_id", "latest_run_at")
SELECT "suite"."id", (SELECT count(*) FROM "eval_cases" WHERE "suite_id" = "suite"."id"), "counted".*
FROM "eval_suites" AS "suite" CROSS JOIN LATERAL (
	SELECT count(*), count(*) FILTER (WHERE "result" = 'passed'), count(*) FILTER (WHERE "result" = 'failed'),
		(array_agg("id" ORDER BY "created_at" DESC, "id" DESC))[1], max("created_at")
	FROM "eval_runs" WHERE "suite_id" = "suite"."id" AND NOT "is_partial"
) AS "counted";--> statement-breakpoint
SELECT "tally_trends"(ARRAY(SELECT "suite_id" FROM "eval_suite_tallies"));--> statement-breakpoint
CREATE INDEX "chat_sessions_own" ON "chat_sessions" USING btree ("project_id","created_by","status","last_activity_at","id");--> statement-breakpoint
CREATE INDEX "chat_sessions_pinned" ON "chat_sessions" USING btree ("project_id","created_by","status","last_activity_at","id") WHERE "chat_sessions"."is_pinned";--> statement-breakpoint
CREATE INDEX "chat_sessions_shared" ON "chat_sessions" USING btree ("project_id","status","last_activity_at","id") WHERE origin <> 'scenario' and visibility = 'project';--> statement-breakpoint
CREATE INDEX "chat_sessions_visitors" ON "chat_sessions" USING btree ("project_id","status","last_activity_at","id") WHERE origin = 'scenario';--> statement-breakpoint
CREATE INDEX "eval_iterations_worst" ON "eval_iterations" USING btree ("run_id",(case when "result" = 'failed' then 0 when "result" is null then 1 else 2 end),"ordinal");--> statement-breakpoint
CREATE INDEX "eval_iterations_lost" ON "eval_iterations" USING btree ("run_id","status","ordinal") WHERE status not in ('pending', 'running', 'completed');--> statement-breakpoint
CREATE INDEX "eval_iterations_conversations" ON "eval_iterations" USING btree ("project_id","started_at","id") WHERE "eval_iterations"."has_trace";--> statement-breakpoint
CREATE INDEX "eval_runs_status" ON "eval_runs" USING btree ("project_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "eval_runs_rated" ON "eval_runs" USING btree ("suite_id","created_at","id") WHERE not is_partial and status = 'completed' and summary ->> 'passRate' is not null;--> statement-breakpoint
CREATE INDEX "eval_runs_group_of" ON "eval_runs" USING btree ("project_id",coalesce("group_id", "group_label"),"created_at","id") WHERE coalesce("eval_runs"."group_id", "eval_runs"."group_label") is not null;--> statement-breakpoint
CREATE INDEX "insight_findings_family" ON "insight_findings" USING btree ("project_id","family_id","last_seen_at","finding_id");--> statement-breakpoint
CREATE INDEX "insight_findings_status" ON "insight_findings" USING btree ("project_id","status","last_seen_at","finding_id","family_id");--> statement-breakpoint
CREATE INDEX "insight_findings_severity" ON "insight_findings" USING btree ("project_id","severity","last_seen_at","finding_id","family_id");--> statement-breakpoint
CREATE INDEX "insight_findings_dismissed" ON "insight_findings" USING btree ("project_id","last_seen_at","finding_id","family_id") WHERE "insight_findings"."dismissed_at" is not null;--> statement-breakpoint
CREATE INDEX "readiness_runs_kind" ON "readiness_runs" USING btree ("project_id","readiness_kind","created_at","id");--> statement-breakpoint
CREATE INDEX "readiness_runs_server" ON "readiness_runs" USING btree ("server_id","created_at","id");--> statement-breakpoint
CREATE INDEX "scenario_sessions_auth" ON "scenario_sessions" USING btree ("scenario_id","auth_type","last_activity_at","id");--> statement-breakpoint
CREATE INDEX "scenario_sessions_population" ON "scenario_sessions" USING btree ("scenario_id","population","last_activity_at","id");--> statement-breakpoint
CREATE INDEX "scenario_sessions_rated" ON "scenario_sessions" USING btree ("scenario_id","last_activity_at","id") WHERE "scenario_sessions"."rating_count" > 0;--> statement-breakpoint
CREATE INDEX "scenario_sessions_negative" ON "scenario_sessions" USING btree ("scenario_id","last_activity_at","id") WHERE "scenario_sessions"."is_negative";--> statement-breakpoint
CREATE INDEX "audit_entries_latest" ON "audit_entries" USING btree ("organization_id","id" collate "C");--> statement-breakpoint
CREATE INDEX "audit_entries_action" ON "audit_entries" USING btree ("organization_id","action","id" collate "C");--> statement-breakpoint
CREATE INDEX "audit_entries_user" ON "audit_entries" USING btree ("organization_id","user_id","id" collate "C");--> statement-breakpoint
CREATE INDEX "audit_entries_project" ON "audit_entries" USING btree ("organization_id","project_id","id" collate "C");--> statement-breakpoint
CREATE INDEX "calibrations_project" ON "calibrations" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "chat_sessions_person" ON "chat_sessions" USING btree ("created_by","last_activity_at","id");--> statement-breakpoint
CREATE INDEX "conformance_runs_project" ON "conformance_runs" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "conformance_runs_server" ON "conformance_runs" USING btree ("server_id","created_at","id");--> statement-breakpoint
CREATE INDEX "eval_gate_waivers_run" ON "eval_gate_waivers" USING btree ("run_id","created_at");--> statement-breakpoint
CREATE INDEX "eval_runs_project" ON "eval_runs" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "eval_runs_suite" ON "eval_runs" USING btree ("suite_id","created_at","id");--> statement-breakpoint
CREATE INDEX "eval_runs_commit" ON "eval_runs" USING btree ("project_id","commit_sha","created_at","id") WHERE "eval_runs"."commit_sha" is not null;--> statement-breakpoint
CREATE INDEX "eval_suites_project" ON "eval_suites" USING btree ("project_id","updated_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "insight_findings_project" ON "insight_findings" USING btree ("project_id","last_seen_at","finding_id","family_id");--> statement-breakpoint
CREATE INDEX "insights_family" ON "insights" USING btree ("project_id","family_id","generated_at");--> statement-breakpoint
CREATE INDEX "journey_runs_journey" ON "journey_runs" USING btree ("journey_id","created_at","id");--> statement-breakpoint
CREATE INDEX "journey_runs_project" ON "journey_runs" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_latest" ON "webhook_deliveries" USING btree ("webhook_id","id" collate "C");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_state" ON "webhook_deliveries" USING btree ("webhook_id","state","id" collate "C");--> statement-breakpoint
CREATE INDEX "readiness_runs_project" ON "readiness_runs" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "server_history_latest" ON "server_history" USING btree ("server_id","id" collate "C");--> statement-breakpoint
CREATE INDEX "server_history_kind" ON "server_history" USING btree ("server_id","kind","id" collate "C");--> statement-breakpoint
CREATE INDEX "server_history_outcome" ON "server_history" USING btree ("server_id","outcome","id" collate "C");--> statement-breakpoint
CREATE INDEX "server_history_kind_outcome" ON "server_history" USING btree ("server_id","kind","outcome","id" collate "C");--> statement-breakpoint
CREATE INDEX "server_history_call" ON "server_history" USING btree ("server_id","call_digest","id" collate "C") WHERE "server_history"."call_digest" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "scenario_sessions_open" ON "scenario_sessions" USING btree ("scenario_id","last_activity_at","id") WHERE "scenario_sessions"."ended" IS NULL;
