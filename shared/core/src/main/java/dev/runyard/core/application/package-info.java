/// The wiring of the whole system: which use case has which ports.
@NullMarked
package dev.runyard.core.application;

import org.jspecify.annotations.NullMarked;
