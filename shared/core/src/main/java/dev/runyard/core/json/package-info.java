/// JSON: its settings, the body of a request, and its fields.
@NullMarked
package dev.runyard.core.json;

import org.jspecify.annotations.NullMarked;
