package dev.runyard.local.template;

/// The template needs something the local stack does not have, or is not well formed. It stops the
/// start: a stack that silently lacks a resource would pass tests that fail on AWS.
public final class TemplateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TemplateException(String message) {
    super(message);
  }

  public TemplateException(String message, Throwable cause) {
    super(message, cause);
  }
}
