/// What the author of a Java agent needs: define an agent, read its inbox, report what happens.
@NullMarked
package dev.runyard.agent;

import org.jspecify.annotations.NullMarked;
