export { exact, ratio } from './exact.ts';
export { classesOf, Resampler } from './multinomial.ts';
export { meanInterval, wilsonInterval } from './normal-intervals.ts';
export type { Ends } from './normal-intervals.ts';
export { percentile, percentileOfArraySql, percentileRank, percentileSql } from './percentile.ts';
export { generatorOf, percentileInterval, resampleMeans } from './resample.ts';
