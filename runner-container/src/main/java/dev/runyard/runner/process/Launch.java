package dev.runyard.runner.process;

/// The answer to a request to start an agent: a live process, or why there is none.
public sealed interface Launch permits AgentProcess, Termination.NotStarted {}
