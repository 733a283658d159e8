CREATE TABLE "saved_calls" (
	"id" text PRIMARY KEY NOT NULL,
	"server_id" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"parameters" text NOT NULL,
	"withheld" text[] DEFAULT '{}' NOT NULL,
	"last_entry_id" text,
	"last_outcome" text,
	"last_summary" text,
	"last_at" timestamp (3) with time zone,
	"last_duration_ms" integer,
	"last_result" text,
	"is_last_cut" boolean DEFAULT false NOT NULL,
	"created_by" text,
	"updated_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_history" (
	"id" text PRIMARY KEY NOT NULL,
	"server_id" text NOT NULL,
	"kind" text NOT NULL,
	"outcome" text NOT NULL,
	"code" text,
	"subject" text,
	"summary" text NOT NULL,
	"created_by" text,
	"at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"call_id" text,
	"run_id" text,
	"parameters" text,
	"withheld" text[] DEFAULT '{}' NOT NULL,
	"call_digest" text,
	"result" text,
	"is_result_cut" boolean DEFAULT false NOT NULL,
	"recording" text,
	"messages_left_out" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "history_days" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "history_entries" integer;--> statement-breakpoint
ALTER TABLE "saved_calls" ADD CONSTRAINT "saved_calls_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_calls" ADD CONSTRAINT "saved_calls_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_calls" ADD CONSTRAINT "saved_calls_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "server_history" ADD CONSTRAINT "server_history_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "server_history" ADD CONSTRAINT "server_history_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "server_history" ADD CONSTRAINT "server_history_run_id_conformance_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."conformance_runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_calls_name" ON "saved_calls" USING btree ("server_id",lower("name"));--> statement-breakpoint
CREATE INDEX "server_history_latest" ON "server_history" USING btree ("server_id","id");--> statement-breakpoint
CREATE INDEX "server_history_kind" ON "server_history" USING btree ("server_id","kind","id");--> statement-breakpoint
CREATE INDEX "server_history_outcome" ON "server_history" USING btree ("server_id","outcome","id");--> statement-breakpoint
CREATE INDEX "server_history_kind_outcome" ON "server_history" USING btree ("server_id","kind","outcome","id");--> statement-breakpoint
CREATE INDEX "server_history_call" ON "server_history" USING btree ("server_id","call_digest","id") WHERE "server_history"."call_digest" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "server_history_run" ON "server_history" USING btree ("run_id") WHERE "server_history"."run_id" IS NOT NULL;