import { isIP, connect } from 'node:net';
import type { Socket } from 'node:net';
import { bareHost } from '../../src/platform/net/index.ts';
import type { HttpClientOptions } from '../../src/platform/net/index.ts';

type Network = Required<Pick<HttpClientOptions, 'resolve' | 'makeConnector'>>;

/**
 * An internet for tests: names with public addresses, behind which servers of this machine listen. The address policy checks the addresses as it does in the
 * running service; only the connection itself goes elsewhere.
 */
export class PublicNetwork implements Network {
  /** Addresses of names, by look-up; the last list is repeated. */
  readonly names = new Map<string, string[][]>();
  /** Local ports by address; a connection to another address is refused. */
  readonly servers = new Map<string, number>();
  /** The address that a socket has in the end, where it differs from the one that was connected to. */
  readonly arrivals = new Map<string, string>();
  /** Addresses to which connections were made. */
  readonly connections: string[] = [];
  /** Names that were looked up. */
  readonly lookups: string[] = [];
  #hosts = 0;

  /** Gives a local server a public address and a name. @returns its URL */
  publish(port: number, name = `target-${this.#hosts}.example`): string {
    this.#hosts += 1;
    const address = `93.184.215.${this.#hosts}`;
    this.names.set(name, [[address]]);
    this.servers.set(address, port);
    return `http://${name}`;
  }

  readonly resolve: Network['resolve'] = (host, _options, done) => {
    this.lookups.push(host);
    const answers = this.names.get(host.replace(/\.$/, '').toLowerCase());
    const answer = answers && answers.length > 1 ? answers.shift() : answers?.[0];
    if (!answer) done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    else
      done(
        null,
        answer.map((address) => ({ address, family: isIP(address) })),
      );
  };

  readonly makeConnector: Network['makeConnector'] =
    ({ lookup }) =>
    ({ hostname }, done) => {
      const host = bareHost(hostname);
      const reach = (address: string) => {
        this.connections.push(address);
        const port = this.servers.get(address);
        if (port === undefined) {
          done(Object.assign(new Error('nothing listens'), { code: 'ECONNREFUSED' }), null);
          return;
        }
        const socket: Socket = connect({ host: '127.0.0.1', port });
        socket.once('error', (error) => done(error, null));
        socket.once('connect', () => {
          socket.removeAllListeners('error');
          socket.on('error', () => undefined);
          Object.defineProperty(socket, 'remoteAddress', { value: this.arrivals.get(address) ?? address });
          done(null, socket);
        });
      };
      if (isIP(host) !== 0) reach(host);
      else
        lookup(host, { all: true }, (error, addresses) => {
          const [first] = Array.isArray(addresses) ? addresses : [];
          if (error || !first) done(error ?? new Error('no address'), null);
          else reach(first.address);
        });
    };
}
