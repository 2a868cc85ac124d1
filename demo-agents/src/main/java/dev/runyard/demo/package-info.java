/// Small agents that show and test what clients of the Agent Communication Protocol expect.
@NullMarked
package dev.runyard.demo;

import org.jspecify.annotations.NullMarked;
