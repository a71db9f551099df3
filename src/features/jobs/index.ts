export type { JobSet, OnJobMade } from './create-job.ts';
export { JobFailed } from './job-type.ts';
export type { JobFile, JobStep, JobType, RunningJob, StepOutcome } from './job-type.ts';
export { open } from './open.ts';
export type { JobMaker, JobsFeature } from './open.ts';
