package dev.runyard.functions.http;

import java.util.List;

/// Resources that belong together, with the routes to them. `H` is what a function answers with.
public interface Resources<H> {
  List<Route<H>> routes();
}
