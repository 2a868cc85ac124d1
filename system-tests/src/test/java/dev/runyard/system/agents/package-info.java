/// Java agents that the system tests need besides the demo agents.
@NullMarked
package dev.runyard.system.agents;

import org.jspecify.annotations.NullMarked;
