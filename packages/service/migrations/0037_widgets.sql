CREATE TABLE "widget_documents" (
	"id" text PRIMARY KEY NOT NULL,
	"server_id" text NOT NULL,
	"user_id" text NOT NULL,
	"html" text NOT NULL,
	"policy" text NOT NULL,
	"allow" text NOT NULL,
	"refusals" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "widget_documents" ADD CONSTRAINT "widget_documents_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "widget_documents" ADD CONSTRAINT "widget_documents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "widget_documents_person" ON "widget_documents" USING btree ("user_id","expires_at");--> statement-breakpoint
CREATE INDEX "widget_documents_expiry" ON "widget_documents" USING btree ("expires_at");