/// The Agent Communication Protocol: a run in that protocol's terms, and its requests. Pure.
@NullMarked
package dev.runyard.core.agentcommunication;

import org.jspecify.annotations.NullMarked;
