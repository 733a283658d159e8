ALTER TABLE "projects" ADD COLUMN "is_default" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "projects_default" ON "projects" USING btree ("organization_id") WHERE is_default;--> statement-breakpoint
UPDATE "projects" SET "is_default" = true WHERE "id" IN (
	SELECT DISTINCT ON ("organization_id") "id" FROM "projects" ORDER BY "organization_id", "created_at", "id"
);
