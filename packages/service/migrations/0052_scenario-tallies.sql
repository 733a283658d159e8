CREATE TABLE "scenario_tallies" (
	"scenario_id" text NOT NULL,
	"population" text NOT NULL,
	"slot" integer NOT NULL,
	"sessions" integer NOT NULL,
	CONSTRAINT "scenario_tallies_scenario_id_population_slot_pk" PRIMARY KEY("scenario_id","population","slot")
);
--> statement-breakpoint
ALTER TABLE "scenario_tallies" ADD CONSTRAINT "scenario_tallies_scenario_id_scenarios_id_fk" FOREIGN KEY ("scenario_id") REFERENCES "public"."scenarios"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "scenario_tallies" ("scenario_id", "population", "slot", "sessions")
SELECT "id", 'real', 0, "session_count" FROM "scenarios" WHERE "session_count" > 0
UNION ALL
SELECT "id", 'synthetic', 0, "synthetic_count" FROM "scenarios" WHERE "synthetic_count" > 0;--> statement-breakpoint
ALTER TABLE "scenarios" DROP COLUMN "session_count";--> statement-breakpoint
ALTER TABLE "scenarios" DROP COLUMN "synthetic_count";