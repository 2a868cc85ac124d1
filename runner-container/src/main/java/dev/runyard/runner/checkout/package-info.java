/// Checks out the repository that a run begins with: fetched into a folder of the runner's own,
/// looked at, and only then written where an agent works.
@NullMarked
package dev.runyard.runner.checkout;

import org.jspecify.annotations.NullMarked;
