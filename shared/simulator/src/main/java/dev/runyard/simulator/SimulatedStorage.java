package dev.runyard.simulator;

import dev.runyard.core.fleet.Slots;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.memory.MemoryHeldRuns;
import dev.runyard.core.memory.MemoryIdempotencyStore;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.MemorySessionQueue;
import dev.runyard.core.memory.MemorySlots;
import dev.runyard.core.memory.MemoryTenantUses;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.quota.RunPlaces;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.submit.IdempotencyStore;
import java.util.Optional;

/// What a simulated system keeps its data in. Queues and the bucket are the simulation's own, since
/// they take part in its faults.
///
/// @param events a log that gets what the simulation's own gets, has to answer the same, and is
///   read in its place
public record SimulatedStorage(
    Optional<EventLog> events,
    ReadModels models,
    SessionQueue turns,
    IdempotencyStore keys,
    RunPlaces.Counts counts,
    Slots slots) {
  static SimulatedStorage memory() {
    return new SimulatedStorage(
        Optional.empty(),
        new MemoryReadModels(),
        new MemorySessionQueue(),
        new MemoryIdempotencyStore(),
        new RunPlaces.Counts(new MemoryTenantUses(), new MemoryHeldRuns()),
        new MemorySlots());
  }
}
