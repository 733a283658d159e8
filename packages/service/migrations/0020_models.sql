CREATE TABLE "model_budget_days" (
	"organization_id" text NOT NULL,
	"day" date NOT NULL,
	"spent_usd" numeric DEFAULT 0 NOT NULL,
	"held_usd" numeric DEFAULT 0 NOT NULL,
	CONSTRAINT "model_budget_days_organization_id_day_pk" PRIMARY KEY("organization_id","day")
);
--> statement-breakpoint
CREATE TABLE "model_budgets" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"daily_cap_usd" numeric,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "model_holds" (
	"organization_id" text NOT NULL,
	"day" date NOT NULL,
	"source_kind" text NOT NULL,
	"source_id" text NOT NULL,
	"left_usd" numeric NOT NULL,
	CONSTRAINT "model_holds_organization_id_day_source_kind_source_id_pk" PRIMARY KEY("organization_id","day","source_kind","source_id")
);
--> statement-breakpoint
CREATE TABLE "model_providers" (
	"organization_id" text NOT NULL,
	"provider" text NOT NULL,
	"base_url" text,
	"sealed_key" text,
	"key_origin" text,
	"key_last_four" text,
	"key_set_at" timestamp (3) with time zone,
	"key_set_by" text,
	"models" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "model_providers_organization_id_provider_pk" PRIMARY KEY("organization_id","provider")
);
--> statement-breakpoint
CREATE TABLE "model_spend" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "model_spend_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organization_id" text NOT NULL,
	"project_id" text,
	"source_kind" text NOT NULL,
	"source_id" text NOT NULL,
	"model" text NOT NULL,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost_usd" numeric,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "model_budget_days" ADD CONSTRAINT "model_budget_days_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_budgets" ADD CONSTRAINT "model_budgets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_holds" ADD CONSTRAINT "model_holds_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_providers" ADD CONSTRAINT "model_providers_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_providers" ADD CONSTRAINT "model_providers_key_set_by_users_id_fk" FOREIGN KEY ("key_set_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_spend" ADD CONSTRAINT "model_spend_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "model_spend_organization" ON "model_spend" USING btree ("organization_id","at");