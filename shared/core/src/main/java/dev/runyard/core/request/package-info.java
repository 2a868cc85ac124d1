/// The body of a request and its members.
@NullMarked
package dev.runyard.core.request;

import org.jspecify.annotations.NullMarked;
