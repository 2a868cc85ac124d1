package dev.runyard.runner.checkout;

import java.nio.file.Path;

/// What a workspace was made from.
///
/// @param gitDirectory a git directory of the runner's own, outside of the workspace
/// @param commit the commit in it that the workspace began as
public record Base(Path gitDirectory, String commit, Path workspace) {}
