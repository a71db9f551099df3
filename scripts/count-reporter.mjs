// Ends a run with lines for machines: one for each skipped and each failed test, then `N passed, N failed, N skipped`.
// A run that SIGTERM ends (.ci/run sends it when a run hangs) names the test files that were running.
export default class CountReporter {
  #running = new Set();
  /** Tests that `-t` leaves out are counted as skipped and not named. */
  #byName = false;

  onInit({ config }) {
    this.#byName = config.testNamePattern !== undefined;
    process.once('SIGTERM', () => {
      for (const file of this.#running) console.log(line('failed', file, 'had not ended when the run was stopped'));
      process.exit(1);
    });
  }

  onTestModuleQueued({ relativeModuleId }) {
    this.#running.add(relativeModuleId);
  }

  onTestModuleEnd({ relativeModuleId }) {
    this.#running.delete(relativeModuleId);
  }

  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0;
    const skipped = [];
    const failed = unhandledErrors.map(({ message }) => line('failed', 'outside of any test', message));
    for (const module of modules) {
      const file = module.relativeModuleId;
      for (const { message } of module.errors()) failed.push(line('failed', file, message));
      // A failed hook leaves its group's tests skipped.
      for (const suite of module.children.allSuites()) {
        for (const { message } of suite.errors()) failed.push(line('failed', `${file} > ${suite.fullName}`, message));
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        const name = `${file} > ${test.fullName}`;
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed.push(line('failed', name, errors?.[0]?.message));
        else skipped.push(`skipped: ${name}`);
      }
    }
    const counts = `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`;
    process.on('exit', () => console.log([...(this.#byName ? [] : skipped), ...failed, counts].join('\n')));
  }
}

function line(verdict, where, message = '') {
  return `${verdict}: ${where}: ${message.split('\n', 1)[0]}`;
}
