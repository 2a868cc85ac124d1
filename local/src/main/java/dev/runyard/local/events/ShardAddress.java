package dev.runyard.local.events;

/// Which shard of which stream.
record ShardAddress(String streamArn, String shardId) {}
