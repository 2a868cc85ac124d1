package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.AppendNotices;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class StreamListenersTest {
  private static final RunKey RUN = SampleRun.key(1);

  private final StoreRig rig;

  StreamListenersTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void tellsOfAppendsToItsStreamUntilItIsClosed() {
    List<Long> one = new ArrayList<>();
    List<Long> two = new ArrayList<>();
    AppendNotices.Listening first = rig.store().notices().listen(RUN, one::add);
    AppendNotices.Listening second = rig.store().notices().listen(RUN, two::add);

    append(RUN, 1);
    append(SampleRun.key(2), 1);
    first.close();
    append(RUN, 2);
    second.close();
    append(RUN, 3);

    assertEquals(List.of(1L), one);
    assertEquals(List.of(1L, 2L), two);
    assertEquals(0, rig.store().database().listeners().count());
  }

  private void append(RunKey run, long at) {
    rig.store().events().append(SampleRun.output(run, at, "text"));
  }
}
