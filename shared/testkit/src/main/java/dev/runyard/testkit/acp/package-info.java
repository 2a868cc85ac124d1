/// Checks answers over the Agent Communication Protocol.
@NullMarked
package dev.runyard.testkit.acp;

import org.jspecify.annotations.NullMarked;
