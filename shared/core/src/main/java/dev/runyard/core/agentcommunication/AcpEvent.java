package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// An event of the protocol, whole.
///
/// @param json with its `type`; a run in it has its state at that time
/// @param settles true when the run has ended or awaits after it, so only its client can continue
public record AcpEvent(String type, ObjectNode json, boolean settles) {}
