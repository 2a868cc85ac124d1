package dev.runyard.core.artifact;

/// Where objects go, whole or too large for memory, under the same keys.
public record Bucket(ArtifactStore store, LargeObjects large) {}
