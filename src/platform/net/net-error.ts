/** Why a request has no response. */
export type NetErrorKind =
  /** The URL is malformed or of another scheme. */
  | 'url'
  /** The address policy forbids the address. */
  | 'address'
  /** The host name does not resolve. */
  | 'name'
  /** The connection is refused or the address unreachable. */
  | 'unreachable'
  | 'certificate'
  | 'timeout'
  /** The connection broke, or the response is not HTTP. */
  | 'broken'
  | 'too-large'
  /** The headers of the answer are larger than any should be. */
  | 'headers'
  | 'redirects'
  /** Too many answers are being received. */
  | 'busy'
  /** The caller's signal aborted. */
  | 'aborted';

/** A request without a response. The message may name the host, never path, headers or body. */
export class NetError extends Error {
  readonly kind: NetErrorKind;

  constructor(kind: NetErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'NetError';
    this.kind = kind;
  }
}

const kindsOfCodes: ReadonlyArray<[RegExp, NetErrorKind, string]> = [
  [/^UND_ERR_CONNECT_TIMEOUT$|^ETIMEDOUT$|^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, 'timeout', 'did not answer in time'],
  [/^ENOTFOUND$|^EAI_/, 'name', 'has no address; check its name'],
  [/^ECONNREFUSED$|^EHOSTUNREACH$|^ENETUNREACH$|^EADDRNOTAVAIL$|^EACCES$|^EHOSTDOWN$/, 'unreachable', 'cannot be reached'],
  [/^UND_ERR_HEADERS_OVERFLOW$|^HPE_HEADER_OVERFLOW$/, 'headers', 'sent headers of more than 32 KiB'],
  [/CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS|^ERR_SSL|^EPROTO$/, 'certificate', 'has no TLS certificate that can be trusted'],
];

/** Converts an error of undici or Node to a {@link NetError}. */
export function netErrorOf(error: unknown, host: string): NetError {
  if (error instanceof NetError) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  const known = kindsOfCodes.find(([codes]) => typeof code === 'string' && codes.test(code));
  const [, kind, what] = known ?? [null, 'broken' as const, 'broke the connection'];
  return new NetError(kind, `${host} ${what}.`, error);
}
