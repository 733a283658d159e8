CREATE TABLE "model_intents" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"project_id" text,
	"source_kind" text NOT NULL,
	"source_id" text NOT NULL,
	"model" text NOT NULL,
	"estimate_usd" numeric,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "model_intents" ADD CONSTRAINT "model_intents_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "model_intents_organization" ON "model_intents" USING btree ("organization_id","at");