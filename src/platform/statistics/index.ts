export { classesOf, Resampler } from './multinomial.ts';
export { generatorOf, percentileInterval, resampleMeans, withoutRoundingError } from './resample.ts';
