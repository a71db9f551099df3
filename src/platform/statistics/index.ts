export { exact, ratio } from './exact.ts';
export { classesOf, Resampler } from './multinomial.ts';
export { percentile, percentileOfArraySql, percentileRank, percentileSql } from './percentile.ts';
export { generatorOf, percentileInterval, resampleMeans } from './resample.ts';
