import { createServer } from 'node:http';
import type { Server as HttpServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { QueueCounters } from './queue-counters.ts';

/** Values that are read at each scrape. */
export interface MetricSources {
  backlogBytes(): number;
  backlogLimitBytes(): number;
  backlogRecords(): number;
  commits(): number;
  ready(): boolean;
}

/** The operator's metrics in Prometheus' text format. No label contains a tenant, a path or a payload. */
export class Metrics {
  readonly registry = new Registry();
  readonly batchErrors: Counter;
  readonly jobErrors: Counter<'job'>;
  readonly lostChecks: Counter;
  readonly notificationAttempts: Counter<'channel' | 'outcome'>;
  readonly alertEvaluations: Counter<'result'>;
  readonly queues: QueueCounters;
  readonly #requests: Histogram<'route' | 'method' | 'status'>;

  constructor() {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Histogram({
      name: 'spanwise_http_request_duration_seconds',
      help: 'Time from the request to the end of its answer, by route.',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    });
    this.batchErrors = new Counter({
      name: 'spanwise_ingest_batch_errors_total',
      help: 'Attempts to write a batch to ClickHouse that failed and are repeated.',
      registers,
    });
    this.jobErrors = new Counter({
      name: 'spanwise_job_errors_total',
      help: 'Runs of a background job that failed.',
      labelNames: ['job'],
      registers,
    });
    this.lostChecks = new Counter({
      name: 'spanwise_guardrail_lost_checks_total',
      help: 'Guardrail checks whose activity could not be stored.',
      registers,
    });
    this.notificationAttempts = new Counter({
      name: 'spanwise_notification_attempts_total',
      help: 'Attempts to deliver a notification, by type of channel and outcome: delivered, retry or failed.',
      labelNames: ['channel', 'outcome'],
      registers,
    });
    this.alertEvaluations = new Counter({
      name: 'spanwise_alert_evaluations_total',
      help: 'Evaluations of alert rules, by result: ok, firing, no_data, failed, or dropped because the rule changed meanwhile.',
      labelNames: ['result'],
      registers,
    });
    this.queues = new QueueCounters(this.registry);
  }

  /** Adds the gauges that are read at each scrape. */
  watch(sources: MetricSources): void {
    const registers = [this.registry];
    gauge('spanwise_wal_backlog_bytes', 'Bytes acknowledged and not yet in ClickHouse.', sources.backlogBytes);
    gauge('spanwise_wal_backlog_limit_bytes', 'Backlog at which ingestion answers 503.', sources.backlogLimitBytes);
    gauge('spanwise_wal_backlog_records', 'Requests acknowledged and not yet in ClickHouse.', sources.backlogRecords);
    gauge('spanwise_wal_commits', 'Group commits since the start.', sources.commits);
    gauge('spanwise_ready', '1 while the service takes traffic.', () => Number(sources.ready()));

    function gauge(name: string, help: string, read: () => number): void {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    }
  }

  /** Measures every request of a server by its route's pattern. */
  observe(app: FastifyInstance): void {
    app.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'unknown';
      this.#requests.observe({ route, method: request.method, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
      done();
    });
  }

  /** Serves `/metrics` on a port of its own. Resolves once it listens; rejects when it cannot. */
  listen(host: string, port: number): Promise<HttpServer> {
    const server = createServer((request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      void this.registry.metrics().then((text) => {
        response.writeHead(200, { 'content-type': this.registry.contentType }).end(text);
      });
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => resolve(server));
    });
  }
}
