/// What an agent changed in its workspace: taken once all of its processes are gone, without
/// letting anything it left there run or lead elsewhere. Git never sees the workspace: the runner
/// reads the files and hands git their bytes, in a git directory of the runner's own.
@NullMarked
package dev.runyard.runner.change;

import org.jspecify.annotations.NullMarked;
