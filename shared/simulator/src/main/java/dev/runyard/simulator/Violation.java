package dev.runyard.simulator;

/// An invariant that does not hold, or an actor that failed in a way no fault explains.
public record Violation(String invariant, String detail) {}
