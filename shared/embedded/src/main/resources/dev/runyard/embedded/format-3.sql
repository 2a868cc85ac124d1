-- The keys that callers show, by the hash of their text; `scopes` has spaces between its names.
create table access_keys (
  hash text primary key,
  id text not null,
  tenant text not null,
  name text,
  scopes text not null,
  made_by text not null,
  created integer not null,
  ends integer,
  used integer,
  revoked integer,
  expires integer,
  unique (tenant, id)
) strict;
create index access_keys_expiry on access_keys (expires) where expires is not null;
