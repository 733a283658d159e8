CREATE TABLE "scenario_session_tools" (
	"session_id" text NOT NULL,
	"server_id" text NOT NULL,
	"server_name" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "scenario_session_tools_session_id_server_id_pk" PRIMARY KEY("session_id","server_id")
);
--> statement-breakpoint
CREATE TABLE "scenario_windows" (
	"id" text PRIMARY KEY NOT NULL,
	"scenario_id" text NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"frozen_at" timestamp (3) with time zone NOT NULL,
	"session_ids" text[] NOT NULL,
	"session_count" integer NOT NULL,
	"used_until" timestamp (3) with time zone,
	"rated_until" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "scenario_session_tools" ADD CONSTRAINT "scenario_session_tools_session_id_scenario_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."scenario_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_windows" ADD CONSTRAINT "scenario_windows_scenario_id_scenarios_id_fk" FOREIGN KEY ("scenario_id") REFERENCES "public"."scenarios"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scenario_windows_scenario" ON "scenario_windows" USING btree ("scenario_id","end_at");