/** What AsyncLocalStorage is used for. */
interface Storage<T> {
  run<R>(value: T, call: () => R): R;
  getStore(): T | undefined;
}

type StorageClass = new <T>() => Storage<T>;

interface Platform {
  process?: { getBuiltinModule?(name: string): { AsyncLocalStorage?: StorageClass } | undefined };
  AsyncLocalStorage?: StorageClass;
}

/** The value that is active in a call and in all that it starts: what it awaits, its timers. */
export class Active<T> {
  readonly #storage: Storage<T> | undefined;

  constructor() {
    const AsyncLocalStorage = findStorage();
    this.#storage = AsyncLocalStorage && new AsyncLocalStorage<T>();
  }

  /** undefined outside of all, and where the platform has no AsyncLocalStorage. */
  get(): T | undefined {
    return this.#storage?.getStore();
  }

  run<R>(value: T, call: () => R): R {
    return this.#storage ? this.#storage.run(value, call) : call();
  }
}

/** Without an import, which browsers would not find. Edge runtimes have it as a global. */
function findStorage(): StorageClass | undefined {
  const platform = globalThis as Platform;
  try {
    const found = platform.process?.getBuiltinModule?.('async_hooks')?.AsyncLocalStorage;
    if (found) return found;
  } catch {
    // Not allowed here.
  }
  return platform.AsyncLocalStorage;
}
