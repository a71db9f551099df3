import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Finding } from '../../contract/model-lifecycle.ts';
import { runs } from '../../../test/support/runs.ts';
import { by, calledModel, openLifecycleService, path } from './lifecycle-service.fixture.ts';
import type { LifecycleService } from './lifecycle-service.fixture.ts';
import { dayMs } from '../../contract/durations.ts';

let service: LifecycleService;
beforeAll(async () => {
  service = await openLifecycleService();
});
afterAll(() => service.close());

type Step =
  | { do: 'date'; days: number }
  | { do: 'wait'; days: number }
  | { do: 'call'; called: boolean }
  | { do: 'dismiss' }
  | { do: 'scan' };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('date' as const), days: fc.integer({ min: -10, max: 120 }) }),
  fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 0, max: 40 }) }),
  fc.record({ do: fc.constant('call' as const), called: fc.boolean() }),
  fc.constant({ do: 'dismiss' as const }),
  fc.constant({ do: 'scan' as const }),
);

/** The published state machine: one model with a date that moves, as it was called or not. */
class Oracle {
  readonly bandsRaised = new Set<number>();
  state: 'open' | 'dismissed' | 'none' = 'none';
  dismissedBand: number | null = null;
  listed = false;

  static bandAt(days: number): number | null {
    if (days <= 0) return 0;
    if (days <= 7) return 7;
    return days <= 30 ? 30 : days <= 90 ? 90 : null;
  }

  /** Whether the scan raises it. */
  scan(days: number, called: boolean): boolean {
    const band = Oracle.bandAt(days);
    this.listed = called && band !== null;
    if (!this.listed || band === null) return false;
    if ([...this.bandsRaised].some((raised) => raised <= band)) return false;
    if (this.state === 'dismissed' && this.dismissedBand !== null && band >= this.dismissedBand) return false;
    this.bandsRaised.add(band);
    this.state = 'open';
    return true;
  }

  /** @param days until the date of the last scan */
  dismiss(days: number): void {
    if (this.state !== 'dismissed') this.dismissedBand = Oracle.bandAt(days);
    this.state = 'dismissed';
  }
}

let made = 0;

it('raises, dismisses and raises again as the published state machine does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
      const model = `model-${++made}`;
      const oracle = new Oracle();
      let date = '';
      let scannedDate = '';
      let called = true;
      const daysTo = (day: string) => Math.round((Date.parse(day) - Math.floor(service.clock.now() / dayMs) * dayMs) / dayMs);
      const days = () => daysTo(date);
      const setDate = async (ahead: number) => {
        date = new Date(service.clock.now() + ahead * dayMs).toISOString().slice(0, 10);
        const answer = await service.request(by('member'), 'PUT', `${path}/catalogue/${model}`, { retiresOn: date });
        expect(answer.status).toBe(200);
      };
      const found = async (): Promise<Finding | undefined> =>
        (await service.request(by('viewer'), 'GET', `${path}/findings`)).body.findings.find(
          (one: Finding) => one.model === model,
        );
      await setDate(60);
      for (const action of [...steps, { do: 'scan' } as const]) {
        if (action.do === 'date') await setDate(action.days);
        if (action.do === 'wait') service.clock.advance(action.days * dayMs);
        if (action.do === 'call') called = action.called;
        if (action.do === 'dismiss') {
          const finding = await found();
          if (!finding) continue;
          const dismissed = await service.request(by('member'), 'POST', `${path}/findings/${finding.id}/dismiss`);
          oracle.dismiss(daysTo(scannedDate));
          expect(dismissed.body).toMatchObject({ state: 'dismissed', dismissedBand: oracle.dismissedBand });
        }
        if (action.do === 'scan') {
          service.called = called ? [calledModel(model)] : [];
          if (called) scannedDate = date;
          const scan = await service.request(by('member'), 'POST', `${path}/scan`);
          const raised = oracle.scan(days(), called);
          const open = oracle.listed && oracle.state === 'open' ? 1 : 0;
          expect([steps, scan.body]).toEqual([steps, { raised: raised ? 1 : 0, open }]);
          const finding = await found();
          expect(finding === undefined).toBe(!oracle.listed);
          if (!finding) continue;
          expect(finding).toMatchObject({ state: oracle.state, daysRemaining: days(), band: Oracle.bandAt(days()) });
          if (raised) expect(finding.raisedAt).toBe(new Date(service.clock.now()).toISOString());
        }
      }
      await service.request(by('member'), 'DELETE', `${path}/catalogue/${model}`);
    }),
    { numRuns: runs({ usual: 30, nightly: 100 }), endOnFailure: true },
  );
});
