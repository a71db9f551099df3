// The end of a run, for machines and for whoever sees the end alone: a line for what failed, and `N passed, N failed`.
// A run that is ended from outside, as .ci/run does with one that hangs, names the files that had no end yet.
export default class CountReporter {
  #running = new Set();

  onInit() {
    process.once('SIGTERM', () => {
      for (const file of this.#running) console.log(line(file, 'had not ended when the run was stopped'));
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
    const failed = unhandledErrors.map(({ message }) => line('outside of any test', message));
    for (const module of modules) {
      const file = module.relativeModuleId;
      for (const { message } of module.errors()) failed.push(line(file, message));
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed.push(line(`${file} > ${test.fullName}`, errors?.[0]?.message));
      }
    }
    process.on('exit', () => console.log([...failed, `${passed} passed, ${failed.length} failed`].join('\n')));
  }
}

function line(where, message = '') {
  return `failed: ${where}: ${message.split('\n', 1)[0]}`;
}
