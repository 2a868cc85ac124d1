-- How many runs of the queue a runner still ends that takes no further ones.
alter table slots add column finishing integer;
