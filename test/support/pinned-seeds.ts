import * as fc from 'fast-check';
import { isNightly } from './runs.ts';

// In CI the random cases of property tests are the same each time, so that a failure is of the change that is tested; `npm run test:nightly` and runs by hand draw new ones.
if (process.env['CI'] && !isNightly) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_128 });
