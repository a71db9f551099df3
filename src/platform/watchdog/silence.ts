/** Judges by the beats of a thread whether it still lives. Time is counted in looks, so that a machine or process that sleeps counts none. */
export class Silence {
  #seen: number | null = null;
  #looks = 0;

  /**
   * @param beats how often the thread has beaten so far
   * @returns how many looks in a row have found the same number
   */
  look(beats: number): number {
    this.#looks = beats === this.#seen ? this.#looks + 1 : 0;
    this.#seen = beats;
    return this.#looks;
  }
}
