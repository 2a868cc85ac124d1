package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(StoreRig.Given.class)
class KilledProcessTest {
  private final StoreRig rig;

  KilledProcessTest(StoreRig rig) {
    this.rig = rig;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 300, 2_000})
  void everyAcknowledgedAppendIsThere(int lines) throws Exception {
    List<String> said = new ChildStore(rig.settings().folder()).linesUntilKilled(lines);

    EventLog log = rig.store().events();
    int acknowledged = 0;
    for (String line : said) {
      if (line.endsWith(ChildStore.END)) {
        String[] words = line.split(" ");
        List<Chunk> chunks = log.chunksAfter(SampleRun.key(Integer.parseInt(words[0])), 0);
        assertTrue(chunks.size() >= Integer.parseInt(words[1]), line);
        assertEquals(
            LongStream.rangeClosed(1, chunks.size()).boxed().toList(),
            chunks.stream().map(Chunk::first).toList());
        acknowledged++;
      }
    }
    assertTrue(acknowledged >= lines - 1 - 1, said::toString);
  }
}
