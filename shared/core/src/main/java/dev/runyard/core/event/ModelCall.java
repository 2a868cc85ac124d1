package dev.runyard.core.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// How one call of a model went, as the model gateway saw it.
///
/// @param api the API it spoke
/// @param status the HTTP status of the answer; 0 if none came
/// @param firstByteMillis from the call to the first byte of its answer; null if none came
/// @param retry how many times in a row the same call had failed before
/// @param estimated true where the provider did not say what the call used
/// @param cut why the answer is incomplete; null if it is whole
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ModelCall(
    String api,
    int status,
    @Nullable Long firstByteMillis,
    long durationMillis,
    int retry,
    boolean estimated,
    @Nullable String cut) {}
