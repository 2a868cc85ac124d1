/// What passes between a run and people: actions that await a decision, and messages.
@NullMarked
package dev.runyard.core.interaction;

import org.jspecify.annotations.NullMarked;
