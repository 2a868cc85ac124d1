/// Deciding what an agent asked a person, and reading the decision from a request.
@NullMarked
package dev.runyard.core.action;

import org.jspecify.annotations.NullMarked;
