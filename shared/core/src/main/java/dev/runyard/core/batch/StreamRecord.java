package dev.runyard.core.batch;

import java.time.Instant;
import java.util.Optional;

/// A change of the log's table, with the members that a function reads.
///
/// @param partition names the stream that changed; any other text if the record names none
/// @param sequenceNumber names the record in its batch
/// @param at the approximate time of the change, if the record has one
public record StreamRecord(String partition, String sequenceNumber, Optional<Instant> at) {}
