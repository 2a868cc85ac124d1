package dev.runyard.cli;

/// Loads the classes that commands need, for the launcher, which archives what is loaded: help, a
/// command that finds no server, and a demo on each kind of stack.
final class Training {
  private static final String NO_SERVER = "http://127.0.0.1:1";

  private Training() {}

  public static void main(String[] args) {
    Main.execute("--help");
    Main.execute("list", "--url", NO_SERVER);
    int embedded = Main.execute("demo", "--agent", "echo");
    int emulated = Main.execute("demo", "--agent", "echo", "--emulated");
    System.exit(Math.max(embedded, emulated));
  }
}
