package dev.runyard.cli;

/// Loads the classes that commands need, for the launcher, which archives what is loaded: a demo on
/// each kind of stack.
final class Training {
  private Training() {}

  public static void main(String[] args) {
    int embedded = Main.execute("demo", "--agent", "echo");
    int emulated = Main.execute("demo", "--agent", "echo", "--emulated");
    System.exit(Math.max(embedded, emulated));
  }
}
