/** A new trace id: 16 random bytes as 32 lower-case hexadecimal digits, as in W3C Trace Context. Never all zeros. */
export function newTraceId(): string {
  return randomHex(16);
}

/** A new span id: 8 random bytes as 16 lower-case hexadecimal digits, as in W3C Trace Context. Never all zeros. */
export function newSpanId(): string {
  return randomHex(8);
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** Random bytes that are not used yet; asking for each id is slower. */
const pool = new Uint8Array(4_096);
let used = pool.length;

function randomHex(length: number): string {
  if (used + length > pool.length) {
    globalThis.crypto.getRandomValues(pool);
    used = 0;
  }
  const end = used + length;
  let hex = '';
  while (used < end) hex += digits[pool[used++] ?? 0] ?? '';
  return /[1-9a-f]/.test(hex) ? hex : randomHex(length);
}
