package dev.runyard.core.queue;

/// An open attempt as seen by another receiver of its message. It is part of the delayed copy that
/// replaces the message: the copy's receiver compares. An attempt that has written since then
/// lives, one that has not is dead, and no two clocks are compared.
///
/// @param ticket the message id the attempt was claimed with
/// @param beat when the attempt had last written, in milliseconds of its own clock; only to be
///   compared for equality
public record Sighting(String ticket, long beat) {
  public Sighting {
    if (ticket.isEmpty() || ticket.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("not a ticket: " + ticket);
    }
  }
}
