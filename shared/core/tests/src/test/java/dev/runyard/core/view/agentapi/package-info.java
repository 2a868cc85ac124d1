@NullMarked
package dev.runyard.core.view.agentapi;

import org.jspecify.annotations.NullMarked;
