package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// An event of the protocol, whole.
///
/// @param json with its `type`; a run in it is the run as it stood then
/// @param settles true when the run waits for nobody but its client after it: it has ended or
///   awaits
public record AcpEvent(String type, ObjectNode json, boolean settles) {}
