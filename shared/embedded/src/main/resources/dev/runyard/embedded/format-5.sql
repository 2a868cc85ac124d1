-- What tenants use of their quotas; `body` is JSON.
create table uses (
  tenant text primary key,
  body text not null,
  expires integer not null
) strict;
create index uses_expiry on uses (expires);

-- Runs that wait for a place of their tenant.
create table held (
  tenant text not null,
  run text not null,
  expires integer not null,
  unique (tenant, run)
) strict;
create index held_expiry on held (expires);
