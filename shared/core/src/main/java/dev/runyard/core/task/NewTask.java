package dev.runyard.core.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a task is to be created with.
///
/// @param terms with an empty session and fingerprint where the caller named none
/// @param request what its runs ask for, as it was sent; null if that comes later
record NewTask(
    Optional<String> taskId,
    Optional<String> parent,
    TaskTerms terms,
    @Nullable ObjectNode request,
    boolean draft) {}
