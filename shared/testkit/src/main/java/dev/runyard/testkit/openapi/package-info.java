/// Compares what an API is asked and what it answers with its description.
@NullMarked
package dev.runyard.testkit.openapi;

import org.jspecify.annotations.NullMarked;
