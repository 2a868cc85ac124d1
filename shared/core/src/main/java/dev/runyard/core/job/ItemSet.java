package dev.runyard.core.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Base64;
import java.util.BitSet;
import java.util.function.Consumer;

/// Some items of a job, by their numbers: a bit for each, so that a hundred thousand fit a
/// snapshot.
public final class ItemSet {
  public static final ItemSet EMPTY = new ItemSet(new BitSet());

  private final BitSet bits;

  private ItemSet(BitSet bits) {
    this.bits = bits;
  }

  /// Reads what [#stored] wrote.
  @JsonCreator
  public static ItemSet read(String stored) {
    return new ItemSet(BitSet.valueOf(Base64.getDecoder().decode(stored)));
  }

  @JsonValue
  public String stored() {
    return Base64.getEncoder().encodeToString(bits.toByteArray());
  }

  public boolean has(int item) {
    return bits.get(item);
  }

  public int size() {
    return bits.cardinality();
  }

  public boolean isEmpty() {
    return bits.isEmpty();
  }

  /// The first of them from `item` on; -1 when there is none.
  public int from(int item) {
    return bits.nextSetBit(item);
  }

  ItemSet with(int item) {
    return has(item) ? this : changed(copy -> copy.set(item));
  }

  ItemSet without(int item) {
    return has(item) ? changed(copy -> copy.clear(item)) : this;
  }

  private ItemSet changed(Consumer<BitSet> change) {
    BitSet copy = (BitSet) bits.clone();
    change.accept(copy);
    return new ItemSet(copy);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ItemSet set && bits.equals(set.bits);
  }

  @Override
  public int hashCode() {
    return bits.hashCode();
  }

  @Override
  public String toString() {
    return bits.toString();
  }
}
