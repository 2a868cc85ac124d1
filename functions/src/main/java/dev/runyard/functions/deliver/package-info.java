/// The function that sends what webhooks are told, and the client it sends with.
@NullMarked
package dev.runyard.functions.deliver;

import org.jspecify.annotations.NullMarked;
