package dev.runyard.system.matrix;

/// The result of one trial with one kind of agent. `text` is reproducible: it contains no times and
/// no ids.
sealed interface Cell {
  String text();

  /// The trial succeeded.
  record Works() implements Cell {
    @Override
    public String text() {
      return "works";
    }
  }

  /// It succeeded only in interactive runs.
  record WorksInteractive() implements Cell {
    @Override
    public String text() {
      return "works in interactive runs";
    }
  }

  /// The agent reports its tools and how they end, but not their output.
  record WorksWithoutOutput() implements Cell {
    @Override
    public String text() {
      return "works, without output";
    }
  }

  /// The agent does not offer it, and a request that needs it, if there is one, is refused.
  record NotOffered() implements Cell {
    @Override
    public String text() {
      return "–";
    }
  }

  record Fails(String reason) implements Cell {
    @Override
    public String text() {
      return "fails: " + reason;
    }
  }
}
