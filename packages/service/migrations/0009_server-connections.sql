CREATE TABLE "server_connections" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"organization_id" text,
	"project_id" text,
	"server_id" text,
	"name" text,
	"status" text DEFAULT 'discovering' NOT NULL,
	"error" jsonb,
	"reauthorize" boolean DEFAULT false NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"job_id" text,
	"plan" jsonb,
	"shown_url" text NOT NULL,
	"url_hash" text NOT NULL,
	"sealed" text,
	"handoff_hash" text,
	"state_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "server_connections_handoff_hash_unique" UNIQUE("handoff_hash"),
	CONSTRAINT "server_connections_state_hash_unique" UNIQUE("state_hash")
);
--> statement-breakpoint
ALTER TABLE "server_connections" ADD CONSTRAINT "server_connections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "server_connections" ADD CONSTRAINT "server_connections_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "server_connections" ADD CONSTRAINT "server_connections_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "server_connections_user" ON "server_connections" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "server_connections_open" ON "server_connections" USING btree ("expires_at") WHERE status not in ('ready', 'failed', 'expired', 'cancelled');