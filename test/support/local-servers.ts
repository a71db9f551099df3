import { connect } from 'node:net';

/** The servers of this machine that tests use when they answer; of Redis the last database. */
export const localServers = {
  postgres: 'postgres://postgres@127.0.0.1:5432/test',
  redis: 'redis://127.0.0.1:6379/15',
} as const;

const patienceMs = 2_000;

/** Resolves with a server's URL when a connection to it can be opened, else with null. */
export function answeringServer(server: keyof typeof localServers): Promise<string | null> {
  const url = localServers[server];
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const settle = (connected: boolean) => {
      socket.destroy();
      resolve(connected ? url : null);
    };
    socket
      .setTimeout(patienceMs, () => settle(false))
      .on('connect', () => settle(true))
      .on('error', () => settle(false));
  });
}
