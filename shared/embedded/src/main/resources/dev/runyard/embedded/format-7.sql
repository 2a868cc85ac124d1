-- Webhooks of other systems that become runs; `body` is a JSON object.
create table hooks (
  tenant text not null,
  token text not null,
  version integer not null,
  created integer not null,
  updated integer not null,
  body text not null,
  unique (tenant, token)
) strict;

-- What became of their deliveries.
create table hook_deliveries (
  tenant text not null,
  token text not null,
  slot text not null,
  at integer not null,
  expires integer not null,
  body text not null,
  unique (tenant, token, slot)
) strict;
create index hook_deliveries_newest on hook_deliveries (tenant, token, at);
create index hook_deliveries_expiry on hook_deliveries (expires);
