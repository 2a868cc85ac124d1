/// The function behind the HTTP routes that answer at once.
@NullMarked
package dev.runyard.functions.api;

import org.jspecify.annotations.NullMarked;
