CREATE TABLE "journey_attempt_steps" (
	"attempt_id" text NOT NULL,
	"part" text NOT NULL,
	"answer" integer NOT NULL,
	"call" text NOT NULL,
	"step" json NOT NULL,
	CONSTRAINT "journey_attempt_steps_attempt_id_part_answer_call_pk" PRIMARY KEY("attempt_id","part","answer","call")
);
--> statement-breakpoint
ALTER TABLE "journey_attempts" ADD COLUMN "losses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "journey_attempt_steps" ADD CONSTRAINT "journey_attempt_steps_attempt_id_journey_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."journey_attempts"("id") ON DELETE cascade ON UPDATE no action;