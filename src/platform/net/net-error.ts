/** Why a request did not get an answer. */
export type NetErrorKind =
  /** The URL is not one that can be asked. */
  | 'url'
  /** The address is one that the client may not connect to. */
  | 'address'
  /** The host has no address. */
  | 'name'
  /** Nobody answers at the address. */
  | 'unreachable'
  | 'certificate'
  | 'timeout'
  /** The connection broke, or what came was not HTTP. */
  | 'broken'
  | 'too-large'
  | 'redirects'
  /** The caller gave up. */
  | 'aborted';

/** A request without an answer. The message is a sentence that names the host at most, never the path, headers or body. */
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
  [/^UND_ERR_HEADERS_OVERFLOW$|^HPE_HEADER_OVERFLOW$/, 'too-large', 'sent headers that are too large'],
  [/CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS|^ERR_SSL|^EPROTO$/, 'certificate', 'has no TLS certificate that can be trusted'],
];

/** An error of the network, as a sentence about the host. */
export function netErrorOf(error: unknown, host: string): NetError {
  if (error instanceof NetError) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  const known = kindsOfCodes.find(([codes]) => typeof code === 'string' && codes.test(code));
  const [, kind, what] = known ?? [null, 'broken' as const, 'broke the connection'];
  return new NetError(kind, `${host} ${what}.`, error);
}
