CREATE UNLOGGED TABLE "rate_limits" (
	"id" text PRIMARY KEY NOT NULL,
	"tokens" double precision NOT NULL,
	"refilled_at" timestamp with time zone NOT NULL,
	"allowed" boolean NOT NULL
) WITH (fillfactor = 50);
