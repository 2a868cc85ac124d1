-- Jobs: snapshots of them, which also are their tenants' lists.
create table jobs (
  tenant text not null,
  job text not null,
  place text not null,
  sequence integer not null,
  shard integer not null,
  due integer,
  expires integer not null,
  body blob not null,
  unique (tenant, job)
) strict;
create index jobs_list on jobs (tenant, place);
create index jobs_due on jobs (shard, due) where due is not null;
create index jobs_expiry on jobs (expires);

-- What their items ask for.
create table job_requests (
  tenant text not null,
  job text not null,
  name text not null,
  expires integer not null,
  body blob not null,
  unique (tenant, job, name)
) strict;
create index job_requests_expiry on job_requests (expires);

-- How items ended, each as JSON.
create table job_items (
  tenant text not null,
  job text not null,
  item integer not null,
  sequence integer not null,
  expires integer not null,
  body text not null,
  unique (tenant, job, item)
) strict;
create index job_items_expiry on job_items (expires);
