package dev.runyard.agent.hub;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/// Where an event happened: always in a session, sometimes also in a phase, a task, an agent.
public record HubContext(String sessionId, @JsonUnwrapped HubScope scope) {}
