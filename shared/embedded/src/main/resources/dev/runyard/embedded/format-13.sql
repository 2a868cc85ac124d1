-- Since when each start of a runner has failed for a cause that only the operator can remove.
alter table starts add column broken integer;
