package dev.runyard.cli;

/// Starts the stack that the project's template.yaml describes.
final class TemplateStacks implements Stack.Starter {
  private final Terminal terminal;

  TemplateStacks(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Stack start(Stack.Settings settings) throws Exception {
    throw new UnsupportedOperationException("not landed" + terminal);
  }
}
