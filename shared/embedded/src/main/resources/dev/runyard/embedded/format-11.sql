-- How many runs a runner works on whose messages the queue no longer has.
alter table slots add column unqueued integer;
