package dev.runyard.gates.planted.upper;

import dev.runyard.gates.planted.lower.Lower;

/// One half of a cycle of two packages.
public record Upper(Lower lower) {}
