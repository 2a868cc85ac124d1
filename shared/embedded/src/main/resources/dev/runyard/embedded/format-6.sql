-- The webhooks of each tenant: a JSON array.
create table webhooks (
  tenant text primary key,
  version integer not null,
  body text not null
) strict;

-- Deliveries of webhooks, each as JSON.
create table deliveries (
  tenant text not null,
  webhook text not null,
  id text not null,
  version integer not null,
  shard integer not null,
  due integer,
  expires integer not null,
  body text not null,
  unique (tenant, webhook, id)
) strict;
create index deliveries_due on deliveries (shard, due, tenant, webhook, id) where due is not null;
create index deliveries_expiry on deliveries (expires);
