@NullMarked
package dev.runyard.core.session;

import org.jspecify.annotations.NullMarked;
