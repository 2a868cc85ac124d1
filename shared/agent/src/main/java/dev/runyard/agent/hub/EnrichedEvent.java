package dev.runyard.agent.hub;

import java.time.Instant;

/// An event in its envelope, the same for every listener.
public record EnrichedEvent(String id, Instant timestamp, HubContext context, HubEvent event) {}
