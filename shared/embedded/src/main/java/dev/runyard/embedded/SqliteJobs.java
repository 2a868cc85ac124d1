package dev.runyard.embedded;

import dev.runyard.core.job.JobItems;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobPorts;

/// What is stored of jobs, as tables.
record SqliteJobs(JobModels models, JobItems items) implements JobPorts {}
