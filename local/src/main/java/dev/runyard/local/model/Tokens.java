package dev.runyard.local.model;

/// Token counts of one reply. `cached` is a part of `input`, `reasoning` a part of `output`.
public record Tokens(long input, long output, long cached, long reasoning) {

  public Tokens {
    if (input < 0 || output < 0 || cached < 0 || reasoning < 0) {
      throw new IllegalArgumentException("a token count is negative");
    }
  }

  long total() {
    return input + output;
  }
}
