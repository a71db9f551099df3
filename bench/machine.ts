import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** The machine at the start of the run. */
export interface Machine {
  cores: number;
  processor: string;
  memoryGiB: number;
  kernel: string;
  node: string;
  /** Load average of the last minute; above the number of cores, other programs were running. */
  load: number;
}

export function describeMachine(): Machine {
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? '',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.versions.node,
    load: loadavg()[0] ?? 0,
  };
}

/** CPU time of a process so far, all threads, in microseconds. Linux only. */
export function cpuMicroseconds(pid: number | undefined): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // utime and stime, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
