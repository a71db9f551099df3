import { openService } from '../../packages/sdk/src/open-service.ts';
import type { Service, ServiceRequest } from '../../packages/sdk/src/service.ts';
import { readSettings } from '../../packages/sdk/src/settings.ts';

/** A clock that a test advances. */
export interface SdkClock {
  now(): number;
  after(ms: number, call: () => void): () => void;
  advance(ms: number): void;
}

/** The service as the parts of the SDK use it, over HTTP, with switches. */
export interface SdkService extends Service {
  clock: SdkClock;
  /** Requests are refused as by a machine that is away. */
  away: boolean;
  /** Requests that were sent or refused, as method and path, with the body. */
  asked: Array<{ what: string; body: string; status: number }>;
  reported: string[];
  /** Resolves when no request is under way, nor what follows on it. */
  idle(): Promise<void>;
}

export function manualClock(startMs: number): SdkClock {
  let nowMs = startMs;
  const timers = new Set<{ atMs: number; call: () => void }>();
  return {
    now: () => nowMs,
    after(ms, call) {
      const timer = { atMs: nowMs + ms, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      nowMs += ms;
      for (const timer of [...timers].sort((a, b) => a.atMs - b.atMs)) {
        if (timer.atMs <= nowMs && timers.delete(timer)) timer.call();
      }
    },
  };
}

/** Opens the SDK's side of a running service. */
export function openSdkService(url: string, apiKey: string, startMs: number): SdkService {
  const clock = manualClock(startMs);
  const reported: string[] = [];
  const report = (error: Error) => void reported.push(error.message);
  const settings = readSettings({ apiKey, baseUrl: url });
  // Time limits run on a clock of their own: what the test advances is not the network's time.
  const real = openService(settings, { clock: manualClock(0), random: () => 0.5 }, report);
  let underWay = 0;
  const service: SdkService = {
    clock,
    timeoutMs: settings.timeoutMs,
    away: false,
    asked: [],
    reported,
    random: () => 0.5,
    report,
    async request(path: string, request: ServiceRequest = {}) {
      const asked = { what: `${request.method ?? 'GET'} ${path}`, body: String(request.body ?? ''), status: 0 };
      service.asked.push(asked);
      underWay += 1;
      try {
        if (service.away) throw new Error(`${url} cannot be reached: it is away.`);
        const answer = await real.request(path, request);
        asked.status = answer.status;
        return answer;
      } finally {
        underWay -= 1;
      }
    },
    async idle() {
      do await new Promise((resolve) => setImmediate(resolve));
      while (underWay > 0);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  return service;
}
