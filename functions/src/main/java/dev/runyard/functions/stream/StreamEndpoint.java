package dev.runyard.functions.stream;

import java.io.IOException;

/// Answers a route of this function.
@FunctionalInterface
interface StreamEndpoint {
  StreamAnswer answer(StreamRequest request) throws IOException, InterruptedException;
}
