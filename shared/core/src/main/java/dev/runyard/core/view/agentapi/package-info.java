/// Runs and events as the Universal Agent API has them.
@NullMarked
package dev.runyard.core.view.agentapi;

import org.jspecify.annotations.NullMarked;
