package dev.runyard.runner.process;

/// The end of an agent: how its main process ended, and what was done with processes it left.
public record ProcessEnd(Termination termination, Reaping leftovers) {}
