/// What the author of a Java agent needs: define an agent, read its inbox, tell what happens.
@NullMarked
package dev.runyard.agent;

import org.jspecify.annotations.NullMarked;
