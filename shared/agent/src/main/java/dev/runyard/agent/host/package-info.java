/// What runs Java agents: finds them, starts their processes, and is what executes an agent there.
@NullMarked
package dev.runyard.agent.host;

import org.jspecify.annotations.NullMarked;
