package dev.runyard.cli.show;

/// Colours, or none.
public enum Style {
  PLAIN,
  COLOURED;

  public String dim(String text) {
    return paint("2", text);
  }

  public String good(String text) {
    return paint("32", text);
  }

  public String bad(String text) {
    return paint("31", text);
  }

  public String name(String text) {
    return paint("36", text);
  }

  /// A run's status, coloured by its meaning.
  public String status(String status) {
    if (status.equals("completed")) {
      return good(status);
    }
    return status.equals("failed") || status.startsWith("cancel") ? bad(status) : name(status);
  }

  private String paint(String code, String text) {
    return this == PLAIN || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
