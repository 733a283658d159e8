CREATE TABLE "vault_checks" (
	"id" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL
);
