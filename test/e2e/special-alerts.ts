import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { callsOf } from './special-operations.ts';
import { hostileName } from './special-traces.ts';

/** Generated IDs of alert rules and incidents. */
export interface AlertPlaces {
  /** A firing rule with a webhook that does not answer. */
  alert: string;
  /** Its open incident. */
  incident: string;
  resolvedIncident: string;
  /** Acknowledged, of a rule with a hostile name. */
  hostileIncident: string;
}

/** Nothing listens on the port for discarded data. */
const closedPort = 'http://127.0.0.1:9/hooks/spanwise';
const hostileRule = hostileName.replaceAll(/\p{Cc}/gu, '').slice(0, 100);

const rules = {
  failing: {
    name: 'Failed calls',
    type: 'error-rate',
    threshold: 0.001,
    window: '24h',
    minCount: 1,
    channels: [{ type: 'webhook', url: closedPort }],
  },
  slow: {
    name: 'Slow answers',
    type: 'latency',
    threshold: 10,
    window: '24h',
    minCount: 1,
    filter: { models: ['gpt-4o-2024-08-06'] },
  },
  hostile: { name: hostileRule, type: 'cost', threshold: 0.000001, window: '6h' },
  good: { name: 'Helpful answers', type: 'quality', threshold: -1, window: '24h', minCount: 1 },
  busy: {
    name: 'Guardrail matches',
    type: 'guardrail',
    threshold: 1_000_000,
    window: '1h',
    groupBy: 'environment',
    enabled: false,
  },
  stopped: { name: 'No spans', type: 'ingest-stopped', window: '24h' },
  retiring: { name: 'Retiring models', type: 'model-lifecycle' },
} as const;

/** Creates alert rules, waits for their incidents, and acknowledges and resolves some. */
export async function specialAlerts(service: Service, signed: { cookie: string; projectId: string }): Promise<AlertPlaces> {
  const call = callsOf(service, signed);
  const ids = new Map<keyof typeof rules, string>();
  for (const [key, rule] of Object.entries(rules)) {
    const { id } = await call<{ id: string }>('POST', '/alerts', rule);
    ids.set(key as keyof typeof rules, id);
  }
  const incidentOf = async (key: keyof typeof rules): Promise<string> => {
    let found: string | undefined;
    await until(`rule ${key} has an incident`, async () => {
      const { incidents } = await call<{ incidents: Array<{ id: string }> }>('GET', `/incidents?ruleId=${ids.get(key)}`);
      found = incidents[0]?.id;
      return found !== undefined;
    });
    return found ?? '';
  };
  const [incident, resolvedIncident, hostileIncident] = [
    await incidentOf('failing'),
    await incidentOf('slow'),
    await incidentOf('hostile'),
  ];
  await call('PATCH', `/incidents/${resolvedIncident}`, { status: 'acknowledged' });
  await call('PATCH', `/incidents/${resolvedIncident}`, { status: 'resolved', note: 'Moved long answers to the small model.' });
  await call('PATCH', `/incidents/${hostileIncident}`, { status: 'acknowledged', note: `${hostileRule}\n${'long-'.repeat(80)}` });
  return { alert: ids.get('failing') ?? '', incident, resolvedIncident, hostileIncident };
}
