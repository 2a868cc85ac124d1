/// The whole system, put together once: which use case stands on which ports.
@NullMarked
package dev.runyard.core.application;

import org.jspecify.annotations.NullMarked;
