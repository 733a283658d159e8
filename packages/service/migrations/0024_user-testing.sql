CREATE TABLE "scenario_members" (
	"id" text PRIMARY KEY NOT NULL,
	"scenario_id" text NOT NULL,
	"email" text NOT NULL,
	"link_hash" text NOT NULL,
	"sealed_link" text NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scenario_ratings" (
	"session_id" text NOT NULL,
	"turn_id" text NOT NULL,
	"style" text NOT NULL,
	"value" integer NOT NULL,
	"comment" text,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "scenario_ratings_session_id_turn_id_style_pk" PRIMARY KEY("session_id","turn_id","style")
);
--> statement-breakpoint
CREATE TABLE "scenario_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"scenario_id" text NOT NULL,
	"visitor_id" text,
	"access_version" integer NOT NULL,
	"population" text NOT NULL,
	"auth_type" text NOT NULL,
	"recency" text NOT NULL,
	"display_name" text,
	"device_kind" text,
	"language" text,
	"ended" text,
	"ended_at" timestamp (3) with time zone,
	"auth_interrupted" boolean DEFAULT false NOT NULL,
	"tool_error_count" integer DEFAULT 0 NOT NULL,
	"tools" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"latencies" integer[] DEFAULT '{}' NOT NULL,
	"rating" double precision,
	"comment" text,
	"rating_count" integer DEFAULT 0 NOT NULL,
	"is_negative" boolean DEFAULT false NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"last_activity_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scenario_spend_days" (
	"scenario_id" text NOT NULL,
	"day" date NOT NULL,
	"spent_usd" numeric DEFAULT 0 NOT NULL,
	"held_usd" numeric DEFAULT 0 NOT NULL,
	CONSTRAINT "scenario_spend_days_scenario_id_day_pk" PRIMARY KEY("scenario_id","day")
);
--> statement-breakpoint
CREATE TABLE "scenario_visitors" (
	"id" text PRIMARY KEY NOT NULL,
	"scenario_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"access_version" integer NOT NULL,
	"user_id" text,
	"member_id" text,
	"is_of_project" boolean NOT NULL,
	"display_name" text,
	"device_kind" text,
	"language" text,
	"consented_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scenarios" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"environment_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"mode" text NOT NULL,
	"feedback" text NOT NULL,
	"guest_execution" jsonb NOT NULL,
	"access_version" integer DEFAULT 1 NOT NULL,
	"link_hash" text NOT NULL,
	"sealed_link" text NOT NULL,
	"session_count" integer DEFAULT 0 NOT NULL,
	"synthetic_count" integer DEFAULT 0 NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"unpublished_at" timestamp (3) with time zone
);
--> statement-breakpoint
DROP INDEX "chat_turns_running";--> statement-breakpoint
ALTER TABLE "chat_sessions" ALTER COLUMN "created_by" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_turns" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_turns" ADD COLUMN "scenario_id" text;--> statement-breakpoint
ALTER TABLE "scenario_members" ADD CONSTRAINT "scenario_members_scenario_id_scenarios_id_fk" FOREIGN KEY ("scenario_id") REFERENCES "public"."scenarios"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_members" ADD CONSTRAINT "scenario_members_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_ratings" ADD CONSTRAINT "scenario_ratings_session_id_scenario_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."scenario_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_sessions" ADD CONSTRAINT "scenario_sessions_id_chat_sessions_id_fk" FOREIGN KEY ("id") REFERENCES "public"."chat_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_sessions" ADD CONSTRAINT "scenario_sessions_scenario_id_scenarios_id_fk" FOREIGN KEY ("scenario_id") REFERENCES "public"."scenarios"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_sessions" ADD CONSTRAINT "scenario_sessions_visitor_id_scenario_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."scenario_visitors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_spend_days" ADD CONSTRAINT "scenario_spend_days_scenario_id_scenarios_id_fk" FOREIGN KEY ("scenario_id") REFERENCES "public"."scenarios"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_visitors" ADD CONSTRAINT "scenario_visitors_scenario_id_scenarios_id_fk" FOREIGN KEY ("scenario_id") REFERENCES "public"."scenarios"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_visitors" ADD CONSTRAINT "scenario_visitors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_visitors" ADD CONSTRAINT "scenario_visitors_member_id_scenario_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."scenario_members"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "scenario_members_email" ON "scenario_members" USING btree ("scenario_id","email");--> statement-breakpoint
CREATE UNIQUE INDEX "scenario_members_link" ON "scenario_members" USING btree ("link_hash");--> statement-breakpoint
CREATE INDEX "scenario_sessions_latest" ON "scenario_sessions" USING btree ("scenario_id","last_activity_at","id");--> statement-breakpoint
CREATE INDEX "scenario_sessions_visitor" ON "scenario_sessions" USING btree ("visitor_id","started_at");--> statement-breakpoint
CREATE INDEX "scenario_sessions_open" ON "scenario_sessions" USING btree ("scenario_id","last_activity_at") WHERE "scenario_sessions"."ended" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "scenario_visitors_token" ON "scenario_visitors" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "scenario_visitors_user" ON "scenario_visitors" USING btree ("scenario_id","user_id");--> statement-breakpoint
CREATE INDEX "scenario_visitors_member" ON "scenario_visitors" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "scenario_visitors_seen" ON "scenario_visitors" USING btree ("last_seen_at");--> statement-breakpoint
CREATE UNIQUE INDEX "scenarios_environment" ON "scenarios" USING btree ("environment_id") WHERE "scenarios"."unpublished_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "scenarios_link" ON "scenarios" USING btree ("link_hash");--> statement-breakpoint
CREATE INDEX "scenarios_project" ON "scenarios" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "chat_turns_running" ON "chat_turns" USING btree ("organization_id","scenario_id") WHERE "chat_turns"."status" = 'running';