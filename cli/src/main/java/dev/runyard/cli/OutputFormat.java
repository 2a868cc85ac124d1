package dev.runyard.cli;

/// How a command prints: as text for a person, or as JSON for a program.
enum OutputFormat {
  text,
  json
}
