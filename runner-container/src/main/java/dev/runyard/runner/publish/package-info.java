/// Publishing what a run changed: a commit, a branch of it, a pull request. Nothing here reads what
/// an agent left, only what was kept of it.
@NullMarked
package dev.runyard.runner.publish;

import org.jspecify.annotations.NullMarked;
