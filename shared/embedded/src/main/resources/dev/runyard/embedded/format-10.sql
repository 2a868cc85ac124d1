-- Tasks: snapshots of them, which also are their tenants' lists.
create table tasks (
  tenant text not null,
  task text not null,
  place text not null,
  sequence integer not null,
  shard integer not null,
  due integer,
  expires integer not null,
  body blob not null,
  unique (tenant, task)
) strict;
create index tasks_list on tasks (tenant, place);
create index tasks_due on tasks (shard, due) where due is not null;
create index tasks_expiry on tasks (expires);
