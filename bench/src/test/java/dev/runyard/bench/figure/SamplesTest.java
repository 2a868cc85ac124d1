package dev.runyard.bench.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class SamplesTest {
  private static final Samples HUNDRED =
      Samples.of(DoubleStream.iterate(100, value -> value - 1).limit(100).boxed().toList());

  @Test
  void percentilesAreValuesThatWereMeasured() {
    assertEquals(50, HUNDRED.percentile(50));
    assertEquals(99, HUNDRED.percentile(99));
    assertEquals(100, HUNDRED.percentile(99.5));
    assertEquals(100, HUNDRED.percentile(100));
    assertEquals(1, HUNDRED.percentile(0.1));
  }

  @Test
  void everyPercentileOfOneValueIsThatValue() {
    Samples one = Samples.of(List.of(7.0));

    assertEquals(7, one.percentile(1));
    assertEquals(7, one.percentile(99));
    assertEquals(7, one.median());
  }

  @Test
  void theMedianLiesBetweenTheTwoInTheMiddle() {
    assertEquals(2.5, Samples.of(List.of(4.0, 1.0, 3.0, 2.0)).median());
    assertEquals(3, Samples.of(List.of(9.0, 1.0, 3.0)).median());
  }

  @Test
  void refusesWhatIsNoPercentileAndNoMeasurement() {
    assertThrows(IllegalArgumentException.class, () -> HUNDRED.percentile(0));
    assertThrows(IllegalArgumentException.class, () -> HUNDRED.percentile(101));
    assertThrows(IllegalArgumentException.class, () -> Samples.of(List.of()));
  }
}
