package dev.runyard.functions.http;

import java.util.List;

/// Resources that belong together, with their routes. `H` is the type of handlers of a function.
public interface Resources<H> {
  List<Route<H>> routes();
}
