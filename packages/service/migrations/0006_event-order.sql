-- An event gets its position when its transaction commits, one transaction at a time: followers read by position, and
-- a number given at the insert could become visible after a higher one was already read.
CREATE SEQUENCE "event_positions";
--> statement-breakpoint
CREATE FUNCTION "place_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7400002);
  UPDATE "events" SET "position" = nextval('event_positions') WHERE "id" = NEW."id";
  PERFORM pg_notify('fettle_events', NEW."topic");
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "events_placed" AFTER INSERT ON "events"
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "place_event"();
