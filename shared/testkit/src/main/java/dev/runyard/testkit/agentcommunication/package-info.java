/// Checks responses of the Agent Communication Protocol.
@NullMarked
package dev.runyard.testkit.agentcommunication;

import org.jspecify.annotations.NullMarked;
