CREATE TABLE "sandbox_deployment" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" text NOT NULL,
	CONSTRAINT "sandbox_deployment_only" CHECK ("sandbox_deployment"."only")
);
