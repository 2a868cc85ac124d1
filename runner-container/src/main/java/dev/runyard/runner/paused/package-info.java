/// What runs that wait for a person worked on, kept until they go on.
@NullMarked
package dev.runyard.runner.paused;

import org.jspecify.annotations.NullMarked;
