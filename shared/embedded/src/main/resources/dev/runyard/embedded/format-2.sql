-- The hash of the chunk before it, in a chunk that was written since there are hashes.
alter table chunks add column previous blob;
