/// The hub: agents emit events, listeners get them.
@NullMarked
package dev.runyard.agent.hub;

import org.jspecify.annotations.NullMarked;
