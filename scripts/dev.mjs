// `npm run dev`: Vite's development server for the dashboard, in front of the service, which restarts when its sources change.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const service = `http://127.0.0.1:${process.env.SPANWISE_PORT || 4318}`;
/** Wait after the last change, for editors that write a file in several steps. */
const quietMs = 300;
/** Sources of the service. */
const watched = ['src', 'packages/guardrails/src', 'migrations'];

/** Runs the service and restarts it on changes. Not `node --watch`: its own messages interfere with those of worker threads. */
function keepServing() {
  let child = null;
  let restart = false;
  let ending = false;
  const start = () => {
    child = spawn(process.execPath, [join(root, 'src/main.ts')], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    child.on('exit', (code) => {
      child = null;
      if (ending) process.exit(code ?? 1);
      if (restart) {
        restart = false;
        start();
      } else console.log(`spanwise: the service has ended; it restarts when a file in ${watched.join(', ')} changes`);
    });
  };
  let timer;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      console.log('spanwise: a source changed, restarting the service');
      // One process at a time may own the data directory: start the next one when this one has exited.
      restart = child !== null;
      if (child) child.kill();
      else start();
    }, quietMs);
  };
  for (const folder of watched) watch(join(root, folder), { recursive: true }, changed);
  start();
  return () => {
    ending = true;
    if (child) child.kill();
    else process.exit(0);
  };
}

const end = keepServing();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
process.on('disconnect', end);

const proxied = {
  target: service,
  // The service accepts requests of its own origin only.
  configure: (proxy) => proxy.on('proxyReq', (request) => request.getHeader('origin') && request.setHeader('origin', service)),
};
const server = await createServer({
  configFile: join(root, 'web/vite.config.ts'),
  server: { host: '127.0.0.1', proxy: { '/v1': proxied, '/mcp': proxied, '/healthz': proxied, '/readyz': proxied } },
});
await server.listen();
console.log(
  `spanwise: the dashboard is at ${server.resolvedUrls?.local[0] ?? ''} with hot reloading; the service is at ${service}`,
);
