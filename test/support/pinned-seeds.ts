import * as fc from 'fast-check';

// In CI the random cases of property tests are the same each time, so that a failure is of the change that is tested; `npm run test:nightly` and runs by hand draw new ones.
if (process.env['CI'] && !process.env['SPANWISE_TEST_NIGHTLY'])
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_128 });
