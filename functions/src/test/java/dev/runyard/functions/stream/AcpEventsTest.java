package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AcpEventsTest {
  private final AcpRig rig = new AcpRig();

  @AfterEach
  void stop() {
    rig.close();
  }

  private JsonNode page(RunKey run, String query) throws IOException, InterruptedException {
    return JsonFormat.JSON.readTree(
        rig.stream.get(StreamRig.events(run, "?view=acp" + query)).body());
  }

  @Test
  void theNativeApiReportsTheSameEventsAfterAnySequence() throws Exception {
    AcpRig.json("Run", rig.posted("/runs", AcpRig.create("async")).get());
    RunKey run = rig.claimed();
    rig.says(run, "hi");
    rig.stream.twins.complete(run);
    JsonNode all =
        AcpRig.json("RunEventsListResponse", rig.stream.get("/runs/" + run.runId() + "/events"))
            .path("events");

    JsonNode whole = page(run, "");
    assertEquals(all, whole.path("events"));
    assertTrue(whole.path("closed").booleanValue());
    for (int after = 1; after < whole.path("next_after").intValue(); after++) {
      JsonNode rest = page(run, "&after=" + after).path("events");
      int skipped = all.size() - rest.size();
      for (int i = 0; i < rest.size(); i++) {
        assertEquals(all.get(skipped + i), rest.get(i));
      }
    }
  }
}
