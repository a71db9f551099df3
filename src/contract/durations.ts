/** Durations in milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** In seconds, as ClickHouse's DateTime counts. */
export const hourSeconds = 3_600;
export const daySeconds = 24 * hourSeconds;
