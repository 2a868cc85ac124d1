/// The agents there are, what each can do, and what the operator allows.
@NullMarked
package dev.runyard.core.agent;

import org.jspecify.annotations.NullMarked;
