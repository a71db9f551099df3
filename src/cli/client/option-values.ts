import { InvalidArgumentError } from 'commander';

/** A parser of options: a number between two bounds. */
export function numberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= least && value <= most))
      throw new InvalidArgumentError(`give a number from ${least} to ${most}`);
    return value;
  };
}

/** A parser of options: a whole number between two bounds. */
export function wholeNumberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,9}$/.test(text) || Number(text) < least || Number(text) > most)
      throw new InvalidArgumentError(`give a whole number from ${least} to ${most}`);
    return Number(text);
  };
}
