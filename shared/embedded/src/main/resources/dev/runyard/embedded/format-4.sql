-- The stream tokens that pages show, by the hash of their text.
create table stream_tokens (
  hash text primary key,
  tenant text not null,
  run text not null,
  actor text not null,
  expires integer not null
) strict;
create index stream_tokens_expiry on stream_tokens (expires);
