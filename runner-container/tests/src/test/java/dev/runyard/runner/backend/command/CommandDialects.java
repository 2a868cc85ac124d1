package dev.runyard.runner.backend.command;

import dev.runyard.core.agent.CommandTemplate;
import dev.runyard.runner.backend.OutputParser;

/// What reads the output of described programs.
public final class CommandDialects {
  private CommandDialects() {}

  public static OutputParser text() {
    return new TextLines("Program");
  }

  public static OutputParser json() {
    return new PointedLines(
        "Program",
        new CommandTemplate.Output.JsonLines(
            "/text", "/session", "/error", new CommandTemplate.Counts("/in", "/cached", "/out")));
  }
}
