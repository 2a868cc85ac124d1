package dev.runyard.system.matrix;

/// What became of one trial with one kind of agent. `text` is the same each time the same happens:
/// it has no times and no ids.
sealed interface Cell {
  String text();

  /// What the trial asks for happened.
  record Works() implements Cell {
    @Override
    public String text() {
      return "works";
    }
  }

  /// It happens only in runs that may ask people.
  record WorksInteractive() implements Cell {
    @Override
    public String text() {
      return "works in interactive runs";
    }
  }

  /// The agent tells its tools and how they end, and nothing of what they put out.
  record WorksWithoutOutput() implements Cell {
    @Override
    public String text() {
      return "works, without output";
    }
  }

  /// The agent does not say it can, and a request that needs it is refused where there is one.
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
