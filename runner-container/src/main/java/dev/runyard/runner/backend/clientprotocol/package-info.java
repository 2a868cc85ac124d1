/// Agents that speak the Agent Client Protocol: one JSON-RPC message on each line of standard input
/// and output.
@NullMarked
package dev.runyard.runner.backend.clientprotocol;

import org.jspecify.annotations.NullMarked;
