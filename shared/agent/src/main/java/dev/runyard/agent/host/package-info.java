/// What runs Java agents: finds them, gives them their inbox, and tells when they start and end.
@NullMarked
package dev.runyard.agent.host;

import org.jspecify.annotations.NullMarked;
