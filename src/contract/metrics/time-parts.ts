/** Parts of the time of a record by which rows are grouped, with what they are. */
export const timeParts = {
  hourOfDay: 'hour of the day in UTC, 00 to 23',
  weekday: 'day of the week in UTC, 1 (Monday) to 7',
} as const;
export type TimePart = keyof typeof timeParts;

/** Whether a dimension is a part of the time. */
export const isTimePart = (name: string): name is TimePart => Object.hasOwn(timeParts, name);
