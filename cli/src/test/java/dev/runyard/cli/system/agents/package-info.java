/// Java agents that the system tests need besides the demo agents.
@NullMarked
package dev.runyard.cli.system.agents;

import org.jspecify.annotations.NullMarked;
