/// Who may do what: the scopes of callers.
@NullMarked
package dev.runyard.core.access;

import org.jspecify.annotations.NullMarked;
