import type { Service } from '../service.ts';
import { Bundles } from './bundles.ts';
import { Checker } from './checker.ts';
import type { CheckOptions, GuardSettings } from './options.ts';
import type { TextSource } from './pieces-of.ts';
import { Reports } from './reports.ts';
import { guardedStream } from './stream.ts';
import type { Verdict } from './verdict.ts';

/** The guard with its engine: what `Guard` describes. Loaded on first use, since it is many times larger than the rest of the SDK. */
export interface LocalGuard {
  check(text: string, options?: CheckOptions & { final?: boolean | undefined }): Promise<Verdict>;
  stream(source: TextSource, options?: CheckOptions): AsyncGenerator<string, Verdict, undefined>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function openLocalGuard(service: Service, settings: GuardSettings): LocalGuard {
  const bundles = new Bundles(service);
  const reports = new Reports(service);
  const checker = new Checker(service, bundles, reports, settings);
  return {
    check: (text, options) => checker.check(text, options ?? {}),
    stream: (source, options) => guardedStream(checker, source, options ?? {}),
    flush: async () => void (await Promise.all([reports.flush(), bundles.settled()])),
    close() {
      bundles.close();
      return reports.close();
    },
  };
}
