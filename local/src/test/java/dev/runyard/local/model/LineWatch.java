package dev.runyard.local.model;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;

/// Reads lines as they come and counts down at the first one that contains a text.
record LineWatch(String text, CountDownLatch seen) implements Flow.Subscriber<String> {

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(String line) {
    if (line.contains(text)) {
      seen.countDown();
    }
  }

  @Override
  public void onError(Throwable throwable) {}

  @Override
  public void onComplete() {}
}
