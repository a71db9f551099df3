export { bodyLimits, bodyLimitsOf, shownBytes } from './bodies.ts';
export type { BodyKind, BodyLimits } from './bodies.ts';
export { ByteBudget } from './byte-budget.ts';
export type { ByteShare } from './byte-budget.ts';
export { rateOf, slowestRate } from './rates.ts';
export { RequestRates } from './request-rates.ts';
export { Turns } from './turns.ts';
export type { TurnLimits } from './turns.ts';
export { bytesOf, turnLimits, turnsOf } from './work.ts';
