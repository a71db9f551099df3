// `npm run dev`: the service, which starts again when its sources change, behind Vite's development server for the dashboard.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const service = `http://127.0.0.1:${process.env.SPANWISE_PORT || 4318}`;
const settleMs = 300;

/** Starts the service again and again. Not `node --watch`: it has worker threads send messages of its own among theirs. */
function keepServing() {
  let child = null;
  let again = false;
  let ending = false;
  const start = () => {
    child = spawn(process.execPath, [join(root, 'src/main.ts')], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    child.on('exit', (code) => {
      child = null;
      if (ending) process.exit(code ?? 1);
      if (again) {
        again = false;
        start();
      } else console.log('spanwise: the service has ended; it starts again when a file under src/ or migrations/ changes');
    });
  };
  let settling;
  const changed = () => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      console.log('spanwise: a source changed, starting again');
      // The data directory has one owner at a time: the next one starts when this one has gone.
      again = child !== null;
      if (child) child.kill();
      else start();
    }, settleMs);
  };
  for (const folder of ['src', 'migrations']) watch(join(root, folder), { recursive: true }, changed);
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
  // To the service the browser's page is its own.
  configure: (proxy) => proxy.on('proxyReq', (request) => request.getHeader('origin') && request.setHeader('origin', service)),
};
const server = await createServer({
  configFile: join(root, 'web/vite.config.ts'),
  server: { host: '127.0.0.1', proxy: { '/v1': proxied, '/healthz': proxied, '/readyz': proxied } },
});
await server.listen();
console.log(`spanwise: the dashboard in development is at ${server.resolvedUrls?.local[0] ?? ''} (the service is at ${service})`);
