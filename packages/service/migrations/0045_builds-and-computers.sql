CREATE TABLE "computers" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"user_id" text NOT NULL,
	"image_id" text,
	"content_hash" text NOT NULL,
	"base" text NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"generation" integer NOT NULL,
	"container_id" text,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_image_builds" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"image_id" text NOT NULL,
	"content_hash" text NOT NULL,
	"recipe" jsonb NOT NULL,
	"status" text NOT NULL,
	"provider_build_id" text,
	"log" text DEFAULT '' NOT NULL,
	"error" text,
	"job_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "computers" ADD CONSTRAINT "computers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "computers" ADD CONSTRAINT "computers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "computers" ADD CONSTRAINT "computers_image_id_sandbox_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."sandbox_images"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_image_builds" ADD CONSTRAINT "sandbox_image_builds_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_image_builds" ADD CONSTRAINT "sandbox_image_builds_image_id_sandbox_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."sandbox_images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "computers_person" ON "computers" USING btree ("project_id","user_id");--> statement-breakpoint
CREATE INDEX "sandbox_image_builds_image" ON "sandbox_image_builds" USING btree ("image_id","created_at");--> statement-breakpoint
CREATE INDEX "sandbox_image_builds_content" ON "sandbox_image_builds" USING btree ("project_id","content_hash");