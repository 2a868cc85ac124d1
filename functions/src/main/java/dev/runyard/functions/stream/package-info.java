/// The server behind the HTTP routes that stream events.
@NullMarked
package dev.runyard.functions.stream;

import org.jspecify.annotations.NullMarked;
