/// What a runner and the process of a Java agent write to each other: JSON, one message to a line.
@NullMarked
package dev.runyard.agent.channel;

import org.jspecify.annotations.NullMarked;
