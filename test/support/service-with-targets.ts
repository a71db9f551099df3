// The service as `src/main.ts` starts it, but with an internet in which the target that listens on the port in the first argument has the name
// target-0.example. A program of its own, since nothing in the service's settings leads to such a network.
import { pino } from 'pino';
import { startApp } from '../../src/app.ts';
import { configOfProcess } from '../../src/config.ts';
import { startupBanner } from '../../src/startup-banner.ts';
import { PublicNetwork } from './public-network.ts';

const targetNetwork = new PublicNetwork();
targetNetwork.publish(Number(process.argv[2]));
const app = await startApp(configOfProcess(), { log: pino({ level: 'warn' }), targetNetwork });
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
process.stdout.write(startupBanner(app.url, app.features.identity.firstStart));
