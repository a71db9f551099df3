import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Starts a program and waits until it prints `listening on PORT` or `ready`; the port is 0 for the latter. */
export function startProgram(file: string, parameters: string[] = []): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [file, ...parameters], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const port = /listening on (\d+)/.exec(text)?.[1];
      if (port !== undefined || text.includes('ready')) resolve({ child, port: Number(port ?? 0) });
    });
  });
}

/** Resident memory of a process in megabytes. Linux only. */
export function residentMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
