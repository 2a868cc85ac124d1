package dev.runyard.embedded;

/// Which changes a consumer is shown.
public enum ChangeFilter {
  /// Every append.
  ALL("chunks", "true"),

  /// Appends that changed the state of their stream; output alone is left out.
  STATE("chunks indexed by chunks_changes", "state is not null");

  private final String source;
  private final String condition;

  ChangeFilter(String source, String condition) {
    this.source = source;
    this.condition = condition;
  }

  /// The query for `columns` of the changes behind a position, in order.
  String select(String columns) {
    return "select %s from %s where position > ? and %s order by position limit ?"
        .formatted(columns, source, condition);
  }
}
