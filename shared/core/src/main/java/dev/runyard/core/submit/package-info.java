/// Submitting a run: the request checked, stored and queued.
@NullMarked
package dev.runyard.core.submit;

import org.jspecify.annotations.NullMarked;
