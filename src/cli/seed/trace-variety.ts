import { Random } from './random.ts';

interface Customer {
  id: string;
  name: string;
  tier: 'free' | 'team' | 'enterprise';
  region: 'eu' | 'us';
}

const customers: readonly [Customer, ...Customer[]] = [
  { id: 'c-001', name: 'Northwind Foods', tier: 'enterprise', region: 'eu' },
  { id: 'c-002', name: 'Blue Harbor', tier: 'team', region: 'us' },
  { id: 'c-003', name: 'Atelier Nova', tier: 'free', region: 'eu' },
  { id: 'c-004', name: 'Kite & Co', tier: 'team', region: 'us' },
  { id: 'c-005', name: 'Sol Energía', tier: 'enterprise', region: 'eu' },
  { id: 'c-006', name: 'Greyline', tier: 'free', region: 'us' },
  { id: 'c-007', name: 'Harvest Labs', tier: 'team', region: 'eu' },
];

type ToolFailure = readonly [code: string, message: string];

const toolFailures: readonly [ToolFailure, ...ToolFailure[]] = [
  ['503', 'is not available'],
  ['timeout', 'did not answer within 10 s'],
  ['not_found', 'found nothing for this id'],
  ['permission_denied', 'may not be called for this customer'],
];

/** What makes the traces of a demonstration differ, for filters to find. It follows from the trace's id alone, so that it changes no other figure of the month. */
export interface TraceVariety {
  metadata: Record<string, unknown>;
  tags: string[];
  /** Whether a tool is called again that has answered. */
  repeats(): boolean;
  /** The id of a further span. */
  spanId(): string;
  /** The code and the sentence of a tool that fails. */
  toolFailure(tool: string): ToolFailure;
}

/** @param userId its number decides the customer */
export function traceVariety(traceId: string, userId: string): TraceVariety {
  const random = new Random(Number.parseInt(traceId.slice(0, 8), 16));
  const customer = customers[Number(userId.replace(/\D/g, '')) % customers.length] ?? customers[0];
  const { id, name, tier, region } = customer;
  return {
    metadata: {
      customer: { id, name, tier },
      region,
      channel: random.pick(['web', 'email', 'slack', 'api']),
      locale: region === 'us' ? 'en-US' : random.pick(['en-GB', 'nl-NL', 'de-DE', 'es-ES']),
      ...(random.chance(0.3) ? { ticket: random.whole(10_000, 99_999) } : {}),
      experiment: { arm: random.pick(['control', 'short-prompt']) },
    },
    tags: [...(tier === 'enterprise' ? ['vip'] : []), ...(random.chance(0.05) ? ['reported'] : [])],
    repeats: () => random.chance(0.15),
    spanId: () => random.hex(16),
    toolFailure: (tool) => {
      const [code, message] = random.pick(toolFailures);
      return [code, `${tool} ${message}`];
    },
  };
}
