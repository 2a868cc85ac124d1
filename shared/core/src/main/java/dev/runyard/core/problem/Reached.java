package dev.runyard.core.problem;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A limit of the caller's tenant that a request would pass.
///
/// @param limit its name
/// @param value how much it allows
/// @param retryAfterSeconds when to send the request again; null if waiting does not help
public record Reached(String limit, BigDecimal value, @Nullable Integer retryAfterSeconds) {}
