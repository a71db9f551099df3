// `npm run dev`: the service, which starts again when its sources change, behind Vite's development server for the dashboard.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const service = `http://127.0.0.1:${process.env.SPANWISE_PORT || 4318}`;
const child = spawn(process.execPath, ['--watch', join(root, 'src/main.ts')], { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
process.on('disconnect', () => child.kill());

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
