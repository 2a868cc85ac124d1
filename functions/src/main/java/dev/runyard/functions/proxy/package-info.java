/// Requests as API Gateway passes them on to a function that answers at once.
@NullMarked
package dev.runyard.functions.proxy;

import org.jspecify.annotations.NullMarked;
