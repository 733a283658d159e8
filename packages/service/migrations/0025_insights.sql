CREATE TABLE "insight_facts" (
	"unit_kind" text NOT NULL,
	"unit_id" text NOT NULL,
	"project_id" text NOT NULL,
	"version" integer NOT NULL,
	"stamp" text NOT NULL,
	"facts" json NOT NULL,
	CONSTRAINT "insight_facts_unit_kind_unit_id_pk" PRIMARY KEY("unit_kind","unit_id")
);
--> statement-breakpoint
CREATE TABLE "insight_findings" (
	"project_id" text NOT NULL,
	"family_kind" text NOT NULL,
	"family_id" text NOT NULL,
	"family_label" text NOT NULL,
	"finding_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"finding" json NOT NULL,
	"severity" text NOT NULL,
	"last_scope_kind" text NOT NULL,
	"status" text NOT NULL,
	"occurrence_count" integer NOT NULL,
	"last_count" integer NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"last_scope_id" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"dismissed_at" timestamp (3) with time zone,
	"dismissed_by" text,
	CONSTRAINT "insight_findings_project_id_family_id_finding_id_pk" PRIMARY KEY("project_id","family_id","finding_id")
);
--> statement-breakpoint
CREATE TABLE "insight_ledger" (
	"organization_id" text NOT NULL,
	"day" text NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "insight_ledger_organization_id_day_pk" PRIMARY KEY("organization_id","day")
);
--> statement-breakpoint
CREATE TABLE "insight_sightings" (
	"project_id" text NOT NULL,
	"family_kind" text NOT NULL,
	"family_id" text NOT NULL,
	"scope_kind" text NOT NULL,
	"scope_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	"exercised" integer NOT NULL,
	"findings" jsonb NOT NULL,
	CONSTRAINT "insight_sightings_project_id_family_id_fingerprint_scope_id_pk" PRIMARY KEY("project_id","family_id","fingerprint","scope_id")
);
--> statement-breakpoint
CREATE TABLE "insight_signals" (
	"project_id" text NOT NULL,
	"family_kind" text NOT NULL,
	"family_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"detector" text NOT NULL,
	"subject" jsonb NOT NULL,
	"status" text NOT NULL,
	"occurrence_count" integer NOT NULL,
	"last_count" integer NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"last_scope_id" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "insight_signals_project_id_family_id_fingerprint_pk" PRIMARY KEY("project_id","family_id","fingerprint")
);
--> statement-breakpoint
CREATE TABLE "insights" (
	"scope_kind" text NOT NULL,
	"scope_id" text NOT NULL,
	"project_id" text NOT NULL,
	"family_kind" text NOT NULL,
	"family_id" text NOT NULL,
	"scope" jsonb NOT NULL,
	"status" text NOT NULL,
	"reason_code" text,
	"error" jsonb,
	"before" jsonb,
	"generation" integer DEFAULT 0 NOT NULL,
	"with_model" boolean DEFAULT false NOT NULL,
	"analysis" json,
	"job_id" text,
	"requested_by" text,
	"generated_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "insights_scope_kind_scope_id_pk" PRIMARY KEY("scope_kind","scope_id")
);
--> statement-breakpoint
ALTER TABLE "insight_facts" ADD CONSTRAINT "insight_facts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_findings" ADD CONSTRAINT "insight_findings_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_findings" ADD CONSTRAINT "insight_findings_dismissed_by_users_id_fk" FOREIGN KEY ("dismissed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_ledger" ADD CONSTRAINT "insight_ledger_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_sightings" ADD CONSTRAINT "insight_sightings_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_signals" ADD CONSTRAINT "insight_signals_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insights" ADD CONSTRAINT "insights_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insights" ADD CONSTRAINT "insights_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "insight_facts_project" ON "insight_facts" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "insight_findings_project" ON "insight_findings" USING btree ("project_id","last_seen_at" DESC NULLS LAST,"finding_id");--> statement-breakpoint
CREATE INDEX "insight_sightings_scope" ON "insight_sightings" USING btree ("scope_kind","scope_id");--> statement-breakpoint
CREATE INDEX "insights_project" ON "insights" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "insights_family" ON "insights" USING btree ("project_id","family_id","generated_at" DESC NULLS LAST);