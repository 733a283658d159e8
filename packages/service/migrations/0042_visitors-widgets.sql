ALTER TABLE "widget_documents" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "widget_documents" ADD COLUMN "visitor_id" text;--> statement-breakpoint
ALTER TABLE "widget_documents" ADD CONSTRAINT "widget_documents_visitor_id_scenario_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."scenario_visitors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "widget_documents_visitor" ON "widget_documents" USING btree ("visitor_id","expires_at");