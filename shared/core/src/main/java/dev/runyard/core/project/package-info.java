/// The use case that keeps the read models up with the log.
@NullMarked
package dev.runyard.core.project;

import org.jspecify.annotations.NullMarked;
