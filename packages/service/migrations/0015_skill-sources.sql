ALTER TABLE "skills" ADD COLUMN "source" text;--> statement-breakpoint
-- What was kept of a SKILL.md until now, written as one again: a JSON text is a YAML text, too.
UPDATE "skills" SET "source" = E'---\nname: ' || "name" || E'\ndescription: ' || to_json("description")::text || E'\n---\n\n' || "content" || E'\n';--> statement-breakpoint
ALTER TABLE "skills" ALTER COLUMN "source" SET NOT NULL;
