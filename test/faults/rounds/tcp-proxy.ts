import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A proxy in front of a server that must keep running. After `cut` all connections break and new ones are refused. */
export class TcpProxy {
  readonly port: number;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | null;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (socket) => this.#join(socket));
  }

  static async open(target: number): Promise<TcpProxy> {
    return new TcpProxy(await listening(0), target);
  }

  #join(caller: Socket): void {
    const server = connect(this.#target, '127.0.0.1');
    for (const [one, other] of [
      [caller, server],
      [server, caller],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => (this.#sockets.delete(one), other.destroy()));
      one.pipe(other);
    }
  }

  async cut(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = null;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Lets connections through again, on the same port. */
  async mend(): Promise<void> {
    if (this.#server) return;
    this.#server = await listening(this.port);
    this.#server.on('connection', (socket) => this.#join(socket));
  }
}

async function listening(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
