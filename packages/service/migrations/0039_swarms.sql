CREATE TABLE "journeys" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"environment_ids" text[] NOT NULL,
	"sessions_per_target" integer NOT NULL,
	"max_turns" integer NOT NULL,
	"goal" text NOT NULL,
	"persona_id" text NOT NULL,
	"swarm_id" text,
	"server_attachment_id" text,
	"host_ids" text[],
	"rubric" jsonb NOT NULL,
	"judge" jsonb
);
--> statement-breakpoint
CREATE TABLE "personas" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"slug" text NOT NULL,
	"role" text NOT NULL,
	"notes" text NOT NULL,
	"source" text NOT NULL,
	"seed_keywords" text[],
	"avatar_shape" integer NOT NULL,
	"avatar_palette" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "swarms" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"environment_ids" text[] NOT NULL,
	"sessions_per_target" integer NOT NULL,
	"max_turns" integer NOT NULL,
	"description" text
);
--> statement-breakpoint
ALTER TABLE "journeys" ADD CONSTRAINT "journeys_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journeys" ADD CONSTRAINT "journeys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journeys" ADD CONSTRAINT "journeys_persona_id_personas_id_fk" FOREIGN KEY ("persona_id") REFERENCES "public"."personas"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journeys" ADD CONSTRAINT "journeys_swarm_id_swarms_id_fk" FOREIGN KEY ("swarm_id") REFERENCES "public"."swarms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "personas" ADD CONSTRAINT "personas_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "personas" ADD CONSTRAINT "personas_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "swarms" ADD CONSTRAINT "swarms_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "swarms" ADD CONSTRAINT "swarms_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "journeys_project" ON "journeys" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "journeys_persona" ON "journeys" USING btree ("persona_id");--> statement-breakpoint
CREATE INDEX "journeys_swarm" ON "journeys" USING btree ("swarm_id");--> statement-breakpoint
CREATE UNIQUE INDEX "personas_slug" ON "personas" USING btree ("project_id","slug") WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX "personas_project" ON "personas" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "swarms_project" ON "swarms" USING btree ("project_id","created_at");