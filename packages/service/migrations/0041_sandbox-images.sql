CREATE TABLE "sandbox_images" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"owner_id" text,
	"name" text NOT NULL,
	"sharing" text NOT NULL,
	"blueprint" text NOT NULL,
	"content_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sandbox_images" ADD CONSTRAINT "sandbox_images_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_images" ADD CONSTRAINT "sandbox_images_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_images_shared_name" ON "sandbox_images" USING btree ("project_id","name") WHERE "sandbox_images"."sharing" = 'project';--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_images_draft_name" ON "sandbox_images" USING btree ("project_id","owner_id","name") WHERE "sandbox_images"."sharing" = 'user';