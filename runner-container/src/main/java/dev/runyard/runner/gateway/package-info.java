/// The model gateway: gives each attempt an endpoint of its own on this machine, and forwards what
/// the agent calls there to the operator's provider, with the operator's key.
@NullMarked
package dev.runyard.runner.gateway;

import org.jspecify.annotations.NullMarked;
