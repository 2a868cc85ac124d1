-- Times are epoch milliseconds. A row whose time in `expires` has come may be removed.

create table meta (
  name text primary key,
  value text not null
) strict;

-- The event log. Positions count the appends of all streams and are never used twice.
create table chunks (
  position integer primary key autoincrement,
  partition text not null,
  first integer not null,
  last integer not null,
  id text not null,
  writer text not null,
  state text,
  closed integer not null,
  at integer not null,
  expires integer not null,
  body blob not null,
  unique (partition, first)
) strict;
create index chunks_changes on chunks (position) where state is not null;
create index chunks_expiry on chunks (expires);

-- How far each consumer of the change feed has come.
create table consumers (
  name text primary key,
  position integer not null
) strict;

-- The read models: what lists show of a run, and its snapshot.
create table runs (
  number integer primary key,
  tenant text not null,
  run text not null,
  sequence integer not null,
  status text not null,
  agent text not null,
  session text not null,
  shard integer not null,
  due integer,
  expires integer not null,
  brief blob not null,
  body blob not null,
  unique (tenant, run)
) strict;
create index runs_list on runs (tenant, run, status, agent);
create index runs_session on runs (tenant, session, run, status, agent);
create index runs_due on runs (shard, due, tenant, run) where due is not null;
create index runs_expiry on runs (expires);

-- Idempotency keys, by their digest.
create table keys (
  tenant text not null,
  digest text not null,
  run text not null,
  fingerprint text not null,
  expires integer not null,
  unique (tenant, digest)
) strict;
create index keys_expiry on keys (expires);

-- The order of the runs of a session; `runs` is a JSON array of ids.
create table turns (
  tenant text not null,
  session text not null,
  version integer not null,
  runs text not null,
  indexed integer not null,
  expires integer not null,
  unique (tenant, session)
) strict;
create index turns_expiry on turns (expires);

create table messages (
  number integer primary key,
  queue text not null,
  id text not null unique,
  body text not null,
  visible integer not null,
  receives integer not null,
  expires integer not null
) strict;
create index messages_visible on messages (queue, visible, number, receives);
create index messages_expiry on messages (expires);

-- A slot without a claim is free, one with a runner is held.
create table slots (
  number integer primary key,
  version integer not null,
  claim text,
  claimed integer,
  task text,
  runner text,
  renewed integer,
  taking integer
) strict;

-- Why runners do not start: one row.
create table starts (
  only integer primary key check (only = 1),
  version integer not null,
  cause text,
  since integer not null,
  at integer not null
) strict;

-- Artifacts are kept in parts. The parts of an object that is not in `objects` are in `loose`.
create table objects (
  key text primary key,
  object text not null,
  version text not null,
  expires integer not null
) strict;
create index objects_expiry on objects (expires);
create table parts (
  object text not null,
  part integer not null,
  content blob not null,
  unique (object, part)
) strict;
create table loose (
  object text primary key
) strict;
