ALTER TABLE "scenario_visitors" ADD COLUMN "begun_on" date;--> statement-breakpoint
ALTER TABLE "scenario_visitors" ADD COLUMN "begun_count" integer DEFAULT 0 NOT NULL;