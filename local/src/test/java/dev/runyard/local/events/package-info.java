@NullMarked
package dev.runyard.local.events;

import org.jspecify.annotations.NullMarked;
