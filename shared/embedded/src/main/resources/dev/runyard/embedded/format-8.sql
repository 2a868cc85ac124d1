-- The key with which a stream token was asked for: with that it ends.
alter table stream_tokens add column key_hash text;
