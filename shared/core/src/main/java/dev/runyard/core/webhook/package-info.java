/// Webhooks out: who is told of what happens to runs, and how each is told at least once.
@NullMarked
package dev.runyard.core.webhook;

import org.jspecify.annotations.NullMarked;
