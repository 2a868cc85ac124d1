/// What runs Java agents: finds them, gives them their inbox, and reports when they start and end.
@NullMarked
package dev.runyard.agent.host;

import org.jspecify.annotations.NullMarked;
