package dev.runyard.core.job;

/// What is stored of jobs besides their logs.
public interface JobPorts {
  JobModels models();

  JobItems items();
}
