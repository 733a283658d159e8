ALTER TABLE "chat_turns" ADD COLUMN "message" text;--> statement-breakpoint
ALTER TABLE "chat_turns" ADD COLUMN "wire" json;