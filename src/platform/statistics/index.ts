export { exact, ratio } from './exact.ts';
export { classesOf, Resampler } from './multinomial.ts';
export { generatorOf, percentileInterval, resampleMeans } from './resample.ts';
