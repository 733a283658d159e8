ALTER TABLE "calibrations" ADD COLUMN "job_id" text;--> statement-breakpoint
UPDATE "calibrations" SET "job_id" = "jobs"."id" FROM "jobs"
WHERE "calibrations"."status" = 'running' AND "jobs"."name" = 'calibrations.play'
  AND "jobs"."singleton_key" = "calibrations"."id" AND "jobs"."state" IN ('waiting', 'running');
