import type { ServerResponse } from 'node:http';
import { openWebhookReceiver } from '../../../src/features/notifications/webhook-receiver.fixture.ts';
import type { Random } from '../rounds/random.ts';

/** A request that reached the receiver. */
export interface Arrival {
  /** Its `webhook-id`. */
  id: string;
  path: string;
  body: string;
  /** The process that sent it, counted from 0. */
  life: number;
  /** What was answered; null: the receiver hangs, closed the connection, or killed the sender first. */
  status: number | null;
}

export interface FaultyReceiver {
  url: string;
  /** In their order. */
  arrivals: Arrival[];
  /** The number of the running process. */
  life: number;
  /** Whether it answers every request with 200. */
  healthy: boolean;
  /** Called with each arrival before it is answered; true: it is not answered. */
  onArrival(arrival: Arrival): boolean;
  /** Called once an answer of 2xx was written. */
  onAccepted(): void;
  close(): Promise<void>;
}

/** Channels with this path may be answered 410, which disables them. */
export const gonePath = '/gone';

/** Ways to answer, by their frequency. Few hang: four at a time delay every other delivery of the project until their time-out. */
const ways = [
  ...Array.from({ length: 7 }, () => 'accept' as const),
  ...Array.from({ length: 3 }, () => 'fail' as const),
  ...(['redirect', 'redirect', 'close', 'close', 'hang'] as const),
];
const waysOfGone = [...ways, ...Array.from({ length: 3 }, () => 'gone' as const)];

/** A receiver of webhooks that accepts, refuses, redirects, hangs and closes connections at random. */
export async function openFaultyReceiver(random: Random): Promise<FaultyReceiver> {
  const receiver = await openWebhookReceiver();
  const faulty: FaultyReceiver = {
    url: receiver.url,
    arrivals: [],
    life: 0,
    healthy: false,
    onArrival: () => false,
    onAccepted: () => undefined,
    close: () => receiver.close(),
  };
  const answer = (response: ServerResponse, arrival: Arrival, status: number, headers: Record<string, string> = {}) => {
    arrival.status = status;
    response.writeHead(status, headers).end(() => {
      if (status < 300) faulty.onAccepted();
    });
  };
  receiver.answer((response, { headers, path, body }) => {
    const arrival: Arrival = { id: String(headers['webhook-id']), path, body, life: faulty.life, status: null };
    faulty.arrivals.push(arrival);
    if (faulty.onArrival(arrival)) return;
    const way = faulty.healthy ? 'accept' : random.pick(path === gonePath ? waysOfGone : ways);
    if (way === 'accept') answer(response, arrival, 200);
    else if (way === 'gone') answer(response, arrival, 410);
    else if (way === 'fail') answer(response, arrival, 500);
    else if (way === 'redirect') answer(response, arrival, 302, { location: '/elsewhere' });
    else if (way === 'close') response.destroy();
  });
  return faulty;
}
