ALTER TABLE "journey_runs" ADD COLUMN "tally" json;--> statement-breakpoint
CREATE INDEX "journey_runs_uncounted" ON "journey_runs" USING btree ("created_at") WHERE tally is null;