/// Checks answers against the Agent Communication Protocol's own definition.
@NullMarked
package dev.runyard.testkit.acp;

import org.jspecify.annotations.NullMarked;
