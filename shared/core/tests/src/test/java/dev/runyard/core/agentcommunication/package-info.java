@NullMarked
package dev.runyard.core.agentcommunication;

import org.jspecify.annotations.NullMarked;
