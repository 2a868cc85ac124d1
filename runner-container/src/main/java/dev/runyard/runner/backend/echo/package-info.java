@NullMarked
package dev.runyard.runner.backend.echo;

import org.jspecify.annotations.NullMarked;
