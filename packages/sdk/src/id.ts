/** A new trace id: 16 random bytes as 32 lower-case hexadecimal digits, as in W3C Trace Context. Never all zeros. */
export function newTraceId(): string {
  return randomHex(16);
}

/** A new span id: 8 random bytes as 16 lower-case hexadecimal digits, as in W3C Trace Context. Never all zeros. */
export function newSpanId(): string {
  return randomHex(8);
}

function randomHex(length: number): string {
  const bytes = new Uint8Array(length);
  do globalThis.crypto.getRandomValues(bytes);
  while (bytes.every((byte) => byte === 0));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
