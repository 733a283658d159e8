CREATE TABLE "chat_messages" (
	"session_id" text NOT NULL,
	"index" integer NOT NULL,
	"turn_id" text NOT NULL,
	"message" json NOT NULL,
	"words" text NOT NULL,
	CONSTRAINT "chat_messages_session_id_index_pk" PRIMARY KEY("session_id","index")
);
--> statement-breakpoint
CREATE TABLE "chat_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"created_by" text NOT NULL,
	"origin" text NOT NULL,
	"title" text,
	"status" text DEFAULT 'active' NOT NULL,
	"visibility" text DEFAULT 'private' NOT NULL,
	"is_pinned" boolean DEFAULT false NOT NULL,
	"model" text NOT NULL,
	"tool_mode" text NOT NULL,
	"settled" json NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"message_count" integer DEFAULT 0 NOT NULL,
	"message_bytes" integer DEFAULT 0 NOT NULL,
	"turn_count" integer DEFAULT 0 NOT NULL,
	"tool_call_count" integer DEFAULT 0 NOT NULL,
	"input_tokens" integer,
	"output_tokens" integer,
	"first_message" text DEFAULT '' NOT NULL,
	"branched_from" text,
	"running_turn_id" text,
	"running_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_activity_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_turns" (
	"id" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"organization_id" text NOT NULL,
	"user_id" text NOT NULL,
	"scope" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" text NOT NULL,
	"model_started" boolean DEFAULT false NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"stop_asked" boolean DEFAULT false NOT NULL,
	"pending" json DEFAULT '[]'::json NOT NULL,
	"decisions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"prompt_index" integer,
	"message_start" integer,
	"message_end" integer,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"answer" json,
	"error" json,
	"spans" json
);
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_session_id_chat_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."chat_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD CONSTRAINT "chat_sessions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD CONSTRAINT "chat_sessions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_turns" ADD CONSTRAINT "chat_turns_session_id_chat_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."chat_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_turns" ADD CONSTRAINT "chat_turns_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_sessions_project" ON "chat_sessions" USING btree ("project_id","last_activity_at");--> statement-breakpoint
CREATE INDEX "chat_sessions_person" ON "chat_sessions" USING btree ("created_by","last_activity_at");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_turns_scope" ON "chat_turns" USING btree ("scope");--> statement-breakpoint
CREATE INDEX "chat_turns_session" ON "chat_turns" USING btree ("session_id","prompt_index");--> statement-breakpoint
CREATE INDEX "chat_turns_running" ON "chat_turns" USING btree ("organization_id") WHERE "chat_turns"."status" = 'running';