import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** Where the figures come from, as it was when the run began. */
export interface Machine {
  cores: number;
  processor: string;
  memoryGiB: number;
  kernel: string;
  node: string;
  /** Of the last minute: above the number of cores, something else was running. */
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

/** CPU that a process has used so far, all of its threads, in microseconds; Linux. */
export function cpuMicroseconds(pid: number | undefined): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // utime and stime, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
