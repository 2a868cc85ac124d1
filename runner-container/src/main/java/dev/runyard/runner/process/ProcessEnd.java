package dev.runyard.runner.process;

/// The end of an agent: how its main process ended, and what happened to the processes it left.
public record ProcessEnd(Termination termination, Reaping leftovers) {}
