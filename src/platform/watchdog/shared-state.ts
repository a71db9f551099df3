/** Milliseconds between two beats of the main thread, and between two looks at them. */
export const lookMs = 500;

/** Places in the memory that both threads share. */
export const slots = { beats: 0, patienceMs: 1, debugged: 2 } as const;
