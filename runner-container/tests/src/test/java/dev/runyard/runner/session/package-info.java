@NullMarked
package dev.runyard.runner.session;

import org.jspecify.annotations.NullMarked;
