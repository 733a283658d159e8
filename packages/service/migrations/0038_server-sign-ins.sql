CREATE TABLE "server_sign_ins" (
	"server_id" text NOT NULL,
	"user_id" text NOT NULL,
	"revision" integer NOT NULL,
	"busy_until" timestamp (3) with time zone,
	"state_hash" text,
	"sealed" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "server_sign_ins_server_id_user_id_pk" PRIMARY KEY("server_id","user_id"),
	CONSTRAINT "server_sign_ins_state_hash_unique" UNIQUE("state_hash")
);
--> statement-breakpoint
ALTER TABLE "server_sign_ins" ADD CONSTRAINT "server_sign_ins_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "server_sign_ins" ADD CONSTRAINT "server_sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;