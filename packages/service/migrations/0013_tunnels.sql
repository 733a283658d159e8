CREATE TABLE "tunnels" (
	"server_id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"is_open" boolean NOT NULL,
	"secret_hash" text NOT NULL,
	"secret_version" integer NOT NULL,
	"connect_token_hash" text NOT NULL,
	"connect_token_expires_at" timestamp (3) with time zone NOT NULL,
	"session_id" text,
	"process_id" text,
	"holder_url" text,
	"connected_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tunnels_slug_unique" UNIQUE("slug"),
	CONSTRAINT "tunnels_connect_token_hash_unique" UNIQUE("connect_token_hash")
);
--> statement-breakpoint
ALTER TABLE "tunnels" ADD CONSTRAINT "tunnels_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE cascade ON UPDATE no action;