/// The hub: where an agent tells what happens, and whoever listens hears it.
@NullMarked
package dev.runyard.agent.hub;

import org.jspecify.annotations.NullMarked;
